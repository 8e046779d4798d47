import type { ShippedPackage } from './shipped-packages.ts';

/** THIRD-PARTY-LICENSES.txt: every npm package in `app/` and `node_modules/` with the text of its licence. */
export function licencesText(packages: readonly ShippedPackage[]): string {
  const head = [
    'Sluice contains parts of the packages below. Node, which runs it, has its own licences in runtime/LICENSE, the',
    'admin UI in renderer/dist/licenses.txt, the documentation pages in share/doc/sluice/html/licenses.txt.',
  ].join('\n');
  return [head, ...packages.map(section)].join('\n\n');
}

function section({ id, licence, text }: ShippedPackage): string {
  const body = text === '' ? `Its package has no licence file; its manifest says: ${licence}.` : text;
  return `${'='.repeat(80)}\n${id} (${licence})\n${'-'.repeat(80)}\n${body}\n`;
}
