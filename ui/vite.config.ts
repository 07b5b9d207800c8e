import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { budget } from './budget.plugin.ts';
import { firstScripts } from './first-scripts.ts';
import { words } from './words.plugin.ts';

const page = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** One version for the program and its window. */
const version = /^version = "(.+)"$/m.exec(readFileSync(page('../Cargo.toml'), 'utf8'))?.[1] ?? '';

// `production` is what the app embeds. Any other mode carries the fake backend and its transcripts, for a browser.
export default defineConfig(({ mode }) => ({
  plugins: [
    words(),
    svelte(),
    ...(mode === 'production' ? [budget()] : []),
    ...(mode === 'test' ? [svelteTesting()] : []),
  ],
  base: './',
  define: { __VERSION__: JSON.stringify(version) },
  // The address the program's development build opens.
  server: { port: 1420, strictPort: true },
  build: {
    outDir: mode === 'production' ? 'dist' : 'dist-scenes',
    emptyOutDir: true,
    // What the app's web views speak: WebKitGTK 2.50, macOS 15, WebView2. `light-dark()` stays as it is written.
    target: 'safari18',
    cssTarget: 'safari18',
    // Nothing is inlined: the page's policy allows `self` only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: page('index.html'), approval: page('approval.html'), phone: page('phone.html') },
      output: firstScripts(),
    },
  },
  test: {
    environment: 'happy-dom',
    include: ['tests/**/*.test.ts'],
    setupFiles: ['tests/setup.ts'],
    env: { TZ: 'UTC' },
    restoreMocks: true,
    // They run beside a build, on machines that are slow: this ends what hangs, and measures nothing.
    testTimeout: 30_000,
    // What a file of tests leaves behind is cleared in `setup.ts`.
    isolate: false,
  },
}));
