import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

export default {
  preprocess: vitePreprocess(),
  compilerOptions: { runes: true },
  // A warning is a fault: most of Svelte's are about what a keyboard or a screen reader cannot reach.
  onwarn: (warning) => {
    throw new Error(`${warning.filename}: ${warning.message}`);
  },
};
