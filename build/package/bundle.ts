import { relative, sep } from 'node:path';
import { rolldown, type OutputChunk, type Plugin } from 'rolldown';
import type { Entries } from './entries.ts';
import { KEPT_NAMES } from './kept-packages.ts';
import { madeManifestsPlugin } from './made-manifests.ts';
import { ROOT } from './places.ts';
import { pointIntoPackage } from './started-by-path.ts';
import { EMPTY_PACKAGE, UNUSED_PACKAGES } from './unused-packages.ts';
import { versionPlugin } from './version-plugin.ts';

/**
 * Creates the JavaScript of a package: each entry with its own code, and shared parts. npm packages are included,
 * tree-shaken; those that must stay files are left for `node_modules` (kept-packages.ts).
 *
 * Why bundles instead of the sources: measured in docs/decisions/0011-packages-are-bundles.md.
 */
export interface Bundle {
  /** File names in the folder. */
  files: string[];
  /** Modules in it, absolute paths. */
  modules: string[];
  /** Imports that it does not contain: Node's own modules, kept packages, Electron. */
  imports: string[];
}

export async function makeBundle(
  entries: Entries,
  folder: string,
  version: string,
  more: readonly Plugin[] = [],
): Promise<Bundle> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: { ...entries },
    platform: 'node',
    external: ['electron', ...KEPT_NAMES.map((name) => new RegExp(`^${name}(/|$)`))],
    plugins: [
      pathsPlugin(entries),
      hashbangPlugin(),
      unusedPlugin(),
      plainHttpPlugin(),
      madeManifestsPlugin(),
      versionPlugin(version),
      ...more,
    ],
    // Everything that it warns about would be missing or broken in the package.
    onLog: (_level, log) => {
      throw new Error(`The bundle is not sound: ${log.message}`);
    },
  });
  try {
    const { output } = await bundle.write({
      dir: folder,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'part-[name]-[hash].js',
      // Names and line breaks are kept, so that stack traces in logs are readable.
      minify: false,
      comments: false,
    });
    return contentOf(output.filter((file) => file.type === 'chunk'));
  } finally {
    await bundle.close();
  }
}

function contentOf(chunks: readonly OutputChunk[]): Bundle {
  const files = chunks.map((chunk) => chunk.fileName);
  const imports = new Set(chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]));
  return {
    files,
    modules: [...new Set(chunks.flatMap((chunk) => chunk.moduleIds))],
    imports: [...imports].filter((name) => !files.includes(name)),
  };
}

/** Only Sluice's own sources refer to files by their path. */
function pathsPlugin(entries: Entries): Plugin {
  return {
    name: 'started-by-path',
    transform(code, id) {
      if (!id.startsWith(ROOT) || id.includes('node_modules') || !code.includes('import.meta')) return null;
      return { code: pointIntoPackage(code, relative(ROOT, id).replaceAll(sep, '/'), entries), map: null };
    },
  };
}

/** In a package no file of `app/` is run directly: the command `sluice` starts them. */
function hashbangPlugin(): Plugin {
  return {
    name: 'hashbang',
    transform: (code, id) =>
      id.startsWith(ROOT) && code.startsWith('#!') ? { code: code.replace(/^#!.*/, ''), map: null } : null,
  };
}

function unusedPlugin(): Plugin {
  return {
    name: 'unused-packages',
    resolveId: (source) => (UNUSED_PACKAGES.has(source) ? `\0unused:${source}` : null),
    load: (id) => (id.startsWith('\0unused:') ? { code: EMPTY_PACKAGE, moduleType: 'js' } : null),
  };
}

/**
 * Node's `http` through CommonJS. Its form for `import` lists every export, which loads those that Node loads on
 * demand, including its client for `fetch`: 2.7 MB of heap in each process and thread.
 */
function plainHttpPlugin(): Plugin {
  const id = '\0plain-http';
  return {
    name: 'plain-http',
    resolveId: (source) => (/^(node:)?http$/.test(source) ? id : null),
    load: (asked) =>
      asked === id ? { code: "module.exports = process.getBuiltinModule('node:http');", moduleType: 'js' } : null,
  };
}
