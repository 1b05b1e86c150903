// A peer that is yjs. One JSON request a line, one JSON answer a line.
import { createInterface } from 'node:readline'
import * as Y from 'yjs'

const docs = new Map()
const bytes = text => new Uint8Array(Buffer.from(text, 'base64'))
const text = update => Buffer.from(update).toString('base64')

const root = (doc, kind, key) =>
  ({ text: () => doc.getText(key), map: () => doc.getMap(key), array: () => doc.getArray(key), xml: () => doc.getXmlFragment(key) })[kind]()

// The index of a character, so that no pair of surrogates is split.
const place = (string, dice) => [...string].slice(0, dice % ([...string].length + 1)).join('').length

const edits = {
  text (shared, mark, dice) {
    const at = place(shared.toString(), dice[0])
    shared.insert(at, mark)
    if (dice[1] % 3 === 0 && at > 0) shared.format(0, at, { bold: true })
    const ascii = shared.toString().match(/[a-z]{3}/)
    if (dice[1] % 2 === 0 && ascii) shared.delete(ascii.index, 2)
  },
  map (shared, mark, dice) {
    shared.set(mark, mark)
    const inner = shared.get('shared')
    if (inner instanceof Y.Text) inner.insert(0, 'typed ')
    shared.set(`k${dice[0] % 6}`, { by: mark, n: 1.5, when: 1700000000000 })
    shared.delete(`k${dice[1] % 6}`)
  },
  array (shared, mark, dice) {
    shared.insert(dice[0] % (shared.length + 1), [mark])
    const at = dice[1] % shared.length
    const old = shared.get(at)
    if (old instanceof Y.Map) old.set('by', mark)
    else if (typeof old !== 'string' && dice[1] % 2 === 0) shared.delete(at, 1)
    if (dice[2] % 4 === 0) {
      const map = new Y.Map()
      map.set('id', dice[2] % 9)
      map.set('n', 1)
      shared.push([map])
    }
  },
  xml (shared, mark, dice) {
    const old = shared.length ? shared.get(dice[1] % shared.length) : undefined
    if (old instanceof Y.XmlElement) {
      old.setAttribute('by', mark)
      const first = old.length ? old.get(0) : undefined
      if (first instanceof Y.XmlText && first.length) {
        const at = place(first.toDelta().map(part => part.insert).join(''), dice[2])
        first.insert(at, 'typed ')
        if (at > 0) first.format(0, at, { bold: {} })
      }
    }
    const element = new Y.XmlElement('paragraph')
    element.insert(0, [new Y.XmlText(mark)])
    shared.insert(dice[0] % (shared.length + 1), [element])
  }
}

const ops = {
  new ({ doc, client }) {
    const created = new Y.Doc()
    if (client) created.clientID = client
    docs.set(doc, created)
    return {}
  },
  apply ({ doc, update }) {
    Y.applyUpdate(docs.get(doc), bytes(update))
    return {}
  },
  edit ({ doc, kind, key, mark, dice }) {
    const target = docs.get(doc)
    target.transact(() => edits[kind](root(target, kind, key), mark, dice))
    return {}
  },
  value ({ doc, kind, key }) {
    const shared = root(docs.get(doc), kind, key)
    return { value: kind === 'text' || kind === 'xml' ? shared.toString() : shared.toJSON() }
  },
  encode: ({ doc }) => ({ update: text(Y.encodeStateAsUpdate(docs.get(doc))) }),
  diff: ({ doc, vector }) => ({ update: text(Y.encodeStateAsUpdate(docs.get(doc), bytes(vector))) }),
  state_vector: ({ doc }) => ({ vector: text(Y.encodeStateVector(docs.get(doc))) })
}

for await (const line of createInterface({ input: process.stdin })) {
  let answer
  try {
    const request = JSON.parse(line)
    answer = ops[request.op](request)
  } catch (error) {
    answer = { error: String(error.stack) }
  }
  process.stdout.write(JSON.stringify(answer) + '\n')
}
