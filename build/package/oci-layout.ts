import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * An image in the format of the OCI Image Specification 1.0, as files: `oci-layout`, `index.json` and blobs named by
 * their digest. The same content produces the same bytes.
 */
export interface Layer {
  folder: string;
  /** The owner of every file in it. */
  owner: number;
  /** Contents of the layer, relative to the folder. The folders above belong to root and are in another layer. */
  path: string;
  /** Shown by "history" commands. */
  made: string;
}

export interface Image {
  architecture: 'amd64' | 'arm64';
  /** Name of the image in the archive. */
  reference: string;
  /** `config` of the specification: user, entry point, environment and so on. */
  config: object;
  annotations: Readonly<Record<string, string>>;
  layers: readonly Layer[];
}

interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
}

const TYPE = 'application/vnd.oci.image';
/** Time of every file and of the image. With the current time, each build would be a different image. */
const CREATED = '2000-01-01T00:00:00Z';
const LAYER_BYTES_MAX = 512 * 1024 ** 2;

/** Writes the image as one tar file that podman, docker and skopeo read. Needs GNU tar. */
export function writeOciArchive(file: string, layout: string, image: Image): void {
  mkdirSync(join(layout, 'blobs/sha256'), { recursive: true });
  const layers = image.layers.map((layer) => writeLayer(layout, layer));
  const config = writeJson(layout, `${TYPE}.config.v1+json`, {
    created: CREATED,
    architecture: image.architecture,
    os: 'linux',
    config: image.config,
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: image.layers.map(({ made }) => ({ created: CREATED, created_by: made })),
  });
  const manifest = writeJson(layout, `${TYPE}.manifest.v1+json`, {
    schemaVersion: 2,
    mediaType: `${TYPE}.manifest.v1+json`,
    config,
    layers: layers.map(({ descriptor }) => descriptor),
    annotations: image.annotations,
  });
  const named = { 'org.opencontainers.image.ref.name': image.reference };
  const platform = { architecture: image.architecture, os: 'linux' };
  const index = { schemaVersion: 2, manifests: [{ ...manifest, platform, annotations: named }] };
  writeFileSync(join(layout, 'index.json'), JSON.stringify(index));
  writeFileSync(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  writeFileSync(file, tarOf(layout, 0, '.'));
}

function writeLayer(layout: string, { folder, owner, path }: Layer): { descriptor: Descriptor; diffId: string } {
  const tar = tarOf(folder, owner, path);
  const diffId = `sha256:${sha256(tar)}`;
  return { descriptor: writeBlob(layout, `${TYPE}.layer.v1.tar+gzip`, gzipSync(tar, { level: 9 })), diffId };
}

function tarOf(folder: string, owner: number, path: string): Buffer {
  const same = ['--sort=name', `--mtime=${CREATED}`, `--owner=${owner}`, `--group=${owner}`, '--numeric-owner'];
  const words = ['-c', '--format=ustar', ...same, '-C', folder, path];
  return execFileSync('tar', words, { maxBuffer: LAYER_BYTES_MAX });
}

const writeJson = (layout: string, type: string, value: object): Descriptor =>
  writeBlob(layout, type, Buffer.from(JSON.stringify(value)));

function writeBlob(layout: string, mediaType: string, bytes: Buffer): Descriptor {
  const digest = sha256(bytes);
  writeFileSync(join(layout, 'blobs/sha256', digest), bytes);
  return { mediaType, digest: `sha256:${digest}`, size: bytes.length };
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
