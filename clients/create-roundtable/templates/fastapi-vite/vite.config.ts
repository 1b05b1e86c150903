import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const api = `http://127.0.0.1:${process.env.API_PORT}`;
export default defineConfig({
  server: { port: Number(process.env.PORT), strictPort: true, proxy: { "/api": api } },
  plugins: [react()],
});
