import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'
import svelteConfig from './svelte.config.js'

export default ts.config(
  { ignores: ['dist/', 'node_modules/'] },
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  { languageOptions: { globals: globals.browser } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig } },
  },
  {
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
    },
  },
  {
    // A panel stands alone: what two of them need lives in lib/ or ui/.
    files: ['src/panels/*/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^\\.\\./(?!\\.\\./)|/panels(/|$)', message: 'Panels do not import panels.' }] },
      ],
    },
  },
  {
    // host.ts alone opens the socket; shell.ts alone knows the desktop window.
    files: ['src/**/*.{ts,svelte}'],
    ignores: ['src/lib/host.ts', 'src/**/*.test.ts'],
    rules: { 'no-restricted-globals': ['error', { name: 'WebSocket', message: 'Only lib/host.ts talks to the host.' }] },
  },
)
