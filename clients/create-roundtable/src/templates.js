/** What a template is made of: later layers replace files of earlier ones. */
export const TEMPLATES = {
  "vite-blocknote": { about: "Vite, React and BlockNote", layers: ["base", "vite", "vite-blocknote"] },
  "vite-codemirror": { about: "Vite, React and CodeMirror", layers: ["base", "vite", "vite-codemirror"] },
  "next-tiptap": { about: "Next.js and Tiptap", layers: ["base", "next-tiptap"] },
  "fastapi-vite": {
    about: "FastAPI, which gives the token, and the page of vite-blocknote",
    layers: ["base", "vite", "vite-blocknote", "fastapi-vite"],
  },
};

export const DEFAULT = "vite-blocknote";
