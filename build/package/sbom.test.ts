import { expect, test } from 'vitest';
import { manifest } from './places.ts';
import { sbomOf } from './sbom.ts';

const { version } = manifest();
const component = (ref: string, build = false) => ({
  'bom-ref': ref,
  scope: 'optional',
  properties: build ? [{ name: 'cdx:npm:package:development', value: 'true' }] : [],
});
const all = {
  metadata: { component: { 'bom-ref': `sluice@${version}`, name: 'checkout', type: 'library' } },
  components: [component('react@19.0.0', true), component('pg@8.0.0'), component('vite@8.0.0', true)],
  dependencies: [
    { ref: `sluice@${version}`, dependsOn: ['react@19.0.0', 'pg@8.0.0', 'vite@8.0.0'] },
    { ref: 'vite@8.0.0', dependsOn: ['react@19.0.0'] },
    { ref: 'pg@8.0.0' },
  ],
};

test('what is in the package is listed, what only builds it is not', () => {
  const sbom = sbomOf(all, ['react@19.0.0', 'pg@8.0.0']);
  expect(sbom.metadata.component).toMatchObject({ name: 'sluice', type: 'application' });
  expect(sbom.components).toEqual([
    { 'bom-ref': 'react@19.0.0', scope: 'required', properties: [] },
    { 'bom-ref': 'pg@8.0.0', scope: 'required', properties: [] },
  ]);
  expect(sbom.dependencies).toEqual([
    { ref: `sluice@${version}`, dependsOn: ['react@19.0.0', 'pg@8.0.0'] },
    { ref: 'pg@8.0.0', dependsOn: [] },
  ]);
});

test('a package that npm does not know stops the build: the list would not name it', () => {
  expect(() => sbomOf(all, ['pg@8.0.0', 'left-pad@1.0.0'])).toThrow('left-pad@1.0.0');
});
