import { svelte } from '@sveltejs/vite-plugin-svelte'
import { svelteTesting } from '@testing-library/svelte/vite'
import { defineConfig } from 'vitest/config'

// Relative addresses: the same files are served by the host at / and by the
// desktop window from its own scheme. public/.keep is copied into dist, so
// that the folder can always be embedded.
export default defineConfig({
  base: './',
  plugins: [svelte(), svelteTesting()],
  build: {
    target: ['chrome123', 'safari17.5', 'firefox128'],
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 400,
  },
  server: {
    proxy: { '/ws': { target: 'ws://127.0.0.1:8787', ws: true } },
  },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.ts'],
    restoreMocks: true,
    css: { include: /tokens\.css/ },
  },
})
