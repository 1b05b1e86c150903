// The process of those who attack.
import { ACTS, Scene } from "./acts.mjs";

let scene;

process.on("message", ({ cast, program, editor, next, over }) => {
  if (over) {
    scene.end();
    const { accepted, answers, sent } = scene;
    process.send({ accepted, answers, sent });
    return;
  }
  scene = Object.assign(new Scene(cast), { editor, next });
  const { acts } = program;
  for (const [stranger, { act, ...parameters }] of acts.entries()) {
    const played = scene;
    ACTS[act](played, parameters, stranger).catch((error) => played.isOver || console.log(`an act breaks: ${error.stack}`));
  }
});
process.on("disconnect", () => process.exit());
