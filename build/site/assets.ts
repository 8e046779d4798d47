import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from './sources.ts';

export type SiteFile = string | Uint8Array;

/** Packages that are partly in the site, with the paths of their licences. */
export const SITE_PACKAGES = ['@fontsource-variable/ibm-plex-sans', '@fontsource/ibm-plex-mono', 'minisearch'] as const;

const SANS = 'node_modules/@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-latin-standard-normal.woff2';
const MONO = 'node_modules/@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff2';

const at = (path: string): string => join(ROOT, path);
const text = (path: string): string => readFileSync(at(path), 'utf8');

/** Style sheet, scripts, fonts, icon and licences, by their path in the site. */
export async function siteAssets(): Promise<[path: string, content: SiteFile][]> {
  return [
    ['assets/site.css', `${text('renderer/ui/tokens.css')}\n${text('build/site/site.css')}`],
    ['assets/theme.js', await script('build/site/client/theme.ts')],
    ['assets/page.js', await script('build/site/client/page.ts')],
    ['assets/sans.woff2', readFileSync(at(SANS))],
    ['assets/mono.woff2', readFileSync(at(MONO))],
    ['assets/sluice.svg', text('renderer/public/sluice.svg')],
    ['licenses.txt', SITE_PACKAGES.map(licence).join('\n\n')],
  ];
}

/** A classic script: a module could not be loaded from a file: address. */
async function script(path: string): Promise<string> {
  const bundle = await rolldown({ cwd: ROOT, input: at(path), platform: 'browser' });
  try {
    const { output } = await bundle.generate({ format: 'iife', minify: true, sourcemap: false });
    return output[0].code;
  } finally {
    await bundle.close();
  }
}

interface Manifest {
  version: string;
  license: string;
}

function manifestOf(name: string): Manifest {
  return JSON.parse(text(`node_modules/${name}/package.json`)) as Manifest;
}

/** `name@version` of each of them. */
export function sitePackageIds(): string[] {
  return SITE_PACKAGES.map((name) => `${name}@${manifestOf(name).version}`);
}

function licence(name: string): string {
  const folder = `node_modules/${name}`;
  const file = readdirSync(at(folder)).find((one) => /^licen[cs]e/i.test(one));
  if (file === undefined) throw new Error(`${name} has no licence file; expected one in ${folder}.`);
  const { version, license } = manifestOf(name);
  return `## ${name} - ${version} (${license})\n\n${text(`${folder}/${file}`).trim()}\n`;
}
