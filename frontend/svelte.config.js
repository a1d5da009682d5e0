import { vitePreprocess } from '@sveltejs/vite-plugin-svelte'

export default {
  preprocess: vitePreprocess(),
  compilerOptions: { runes: true },
  vitePlugin: { dynamicCompileOptions: ({ filename }) => (filename.includes('node_modules') ? { runes: undefined } : {}) },
}
