// A judge that is yjs: what a peer has after the same updates. One JSON array of cases a line, one
// JSON array of verdicts a line.
//
// A case is { updates, ours }, in base64: after each of the updates, null or what the service
// encodes, in several ways. A verdict has an entry for each update: null, or `fails` when Yjs throws,
// or what it has: as an `update` and `seen`; whether it is `steady`, so that Yjs has the same content
// in whatever order and parts it reads the updates; and whether each of ours is
// `equal`.
import { createInterface } from 'node:readline'
import * as Y from 'yjs'

console.error = console.warn = console.log = () => {}
const bytes = text => new Uint8Array(Buffer.from(text, 'base64'))

const plain = value => {
  if (value instanceof Uint8Array) return { bytes: [...value] }
  if (typeof value === 'bigint') return { big: String(value) }
  if (value === undefined) return { undefined: true }
  if (typeof value === 'number' && !Number.isFinite(value)) return { number: String(value) }
  if (Array.isArray(value)) return value.map(plain)
  if (value && typeof value === 'object') return Object.entries(value).map(([key, it]) => [key, plain(it)])
  return value
}

// What is visible, with the id of each piece.
const content = (item, out) => {
  const { client, clock } = item.id
  const it = item.content
  if (it instanceof Y.ContentType) return out.push([client, clock, type(it.type)])
  if (it instanceof Y.ContentFormat) return out.push([client, clock, 'format', it.key, plain(it.value)])
  if (it instanceof Y.ContentBinary) return out.push([client, clock, plain(it.content)])
  if (it instanceof Y.ContentEmbed) return out.push([client, clock, 'embed', plain(it.embed)])
  const parts = it instanceof Y.ContentString ? [...Array(it.str.length).keys()].map(at => it.str[at]) : it.getContent()
  parts.forEach((part, at) => out.push([client, clock + at, plain(part)]))
}

const type = shared => {
  const sequence = []
  for (let item = shared._start; item !== null; item = item.right) if (!item.deleted) content(item, sequence)
  const map = [...shared._map].filter(([, item]) => !item.deleted).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => {
    const out = []
    content(item, out)
    return [key, out[out.length - 1]]
  })
  return [shared.constructor.name, shared.nodeName ?? '', sequence, map]
}

const clocks = doc => [...doc.store.clients].map(([client, structs]) => {
  const last = structs[structs.length - 1]
  return [client, last.id.clock + last.length]
}).sort(([a], [b]) => a - b)

const seen = doc => JSON.stringify([
  clocks(doc),
  [...doc.share].map(([name, shared]) => [name, type(shared).slice(2)]).filter(([, [sequence, map]]) => sequence.length + map.length).sort(([a], [b]) => (a < b ? -1 : 1))
])

// Merging makes yjs delete formats that say nothing, which is an edit of its own.
const empty = () => {
  const doc = new Y.Doc()
  doc.on('afterTransaction', transaction => { transaction._needFormattingCleanup = false })
  return doc
}

const made = updates => {
  const doc = empty()
  updates.forEach(update => Y.applyUpdate(doc, update))
  return doc
}

// What each client wrote, in the order of their ids.
const byClient = doc => {
  const vector = clocks(doc)
  return vector.map(([client]) => {
    const others = new Map(vector.filter(([other]) => other !== client))
    return Y.encodeStateAsUpdate(doc, Y.encodeStateVector(others))
  })
}

const or = (attempt, otherwise) => {
  try {
    return attempt()
  } catch {
    return otherwise
  }
}

const judged = ({ updates, ours }) => {
  const doc = empty()
  const all = updates.map(bytes)
  let fails = false
  let middle = []
  return all.map((update, at) => {
    fails ||= or(() => Y.applyUpdate(doc, update), true)
    if (fails) return { fails }
    if (!ours[at]) return null
    const before = seen(doc)
    const written = Y.encodeStateAsUpdate(doc)
    const sent = all.slice(0, at + 1)
    const others = [sent.toReversed(), [written], [...middle, ...sent], byClient(doc), byClient(doc).reverse()]
    middle = [written]
    const steady = others.every(other => or(() => seen(made(other)), '') === before)
    const has = ours[at].map(our => or(() => seen(made([bytes(our)])), 'fails'))
    const update64 = Buffer.from(written).toString('base64')
    return { update: update64, steady, equal: has.map(it => it === before), seen: [before, ...has.filter(it => it !== before)] }
  })
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(JSON.parse(line).map(judged)) + '\n')
}
