import { expect, test } from 'vitest';
import { kinds, manifestOf } from '#plugins';
import { madeManifests } from './made-manifests.ts';

test('a package contains the manifests that its sources generate', async () => {
  const packed: unknown = await import(`data:text/javascript,${encodeURIComponent(madeManifests())}`);
  expect(packed).toMatchObject({ SHIPPED_MANIFESTS: JSON.parse(JSON.stringify(kinds.map(manifestOf))) });
});
