import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import { writeOciArchive } from './oci-layout.ts';

const sha256 = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

function made(folder: string, name: string): { file: string; layout: string } {
  const [file, layout, layer] = [`${name}.tar`, name, `${name}-layer`].map((one) => join(folder, one)) as [
    string,
    string,
    string,
  ];
  mkdirSync(join(layer, 'etc'), { recursive: true });
  writeFileSync(join(layer, 'etc/passwd'), 'sluice:x:10001:\n');
  utimesSync(join(layer, 'etc/passwd'), new Date(), new Date(name === 'one' ? 0 : 1e12));
  const layers = [{ folder: layer, owner: 10_001, path: './etc', made: 'a test' }];
  writeOciArchive(file, layout, {
    architecture: 'arm64',
    reference: 'sluice:1.2.3',
    config: { User: '10001:10001' },
    annotations: {},
    layers,
  });
  return { file, layout };
}

test.skipIf(process.platform !== 'linux')('the same content always gives the same image', async () => {
  await using folder = await tempDir();
  const [one, other] = ['one', 'other'].map((name) => readFileSync(made(folder.path, name).file));
  expect(one?.equals(other ?? Buffer.alloc(0))).toBe(true);
});

test.skipIf(process.platform !== 'linux')('the image matches its digests, and its files have their owner', async () => {
  await using folder = await tempDir();
  const { layout } = made(folder.path, 'one');
  const blobs = join(layout, 'blobs/sha256');
  for (const name of readdirSync(blobs)) expect(sha256(readFileSync(join(blobs, name)))).toBe(`sha256:${name}`);
  const read = (digest: string): Buffer => readFileSync(join(blobs, digest.replace('sha256:', '')));
  const index = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8'));
  expect(index.manifests[0]).toMatchObject({
    platform: { architecture: 'arm64', os: 'linux' },
    annotations: { 'org.opencontainers.image.ref.name': 'sluice:1.2.3' },
  });
  const manifest = JSON.parse(read(index.manifests[0].digest).toString());
  const config = JSON.parse(read(manifest.config.digest).toString());
  const tar = gunzipSync(read(manifest.layers[0].digest));
  expect(config).toMatchObject({ architecture: 'arm64', config: { User: '10001:10001' } });
  expect(config.rootfs.diff_ids).toEqual([sha256(tar)]);
  const listed = execFileSync('tar', ['-tv', '--numeric-owner'], {
    input: tar,
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC' },
  });
  // The folder above it is in another layer.
  expect(listed).not.toMatch(/ \.\/$/m);
  expect(listed).toMatch(/10001\/10001 +16 2000-01-01 00:00 \.\/etc\/passwd/);
});
