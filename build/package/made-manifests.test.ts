import { expect, test } from 'vitest';
import { kinds, manifestOf } from '#plugins';
import { madeManifests } from './made-manifests.ts';

test('the manifests of a package are those that the sources make', async () => {
  const packed: unknown = await import(`data:text/javascript,${encodeURIComponent(madeManifests())}`);
  expect(packed).toMatchObject({ SHIPPED_MANIFESTS: JSON.parse(JSON.stringify(kinds.map(manifestOf))) });
});
