import { NodeError } from '#sdk';
import type { Tags } from './contract.ts';

/** For a gateway, or a test, without tags. */
export const NO_TAGS: Tags = {
  has: () => false,
  read: (_project, path) => unknown(path),
  readMany: (_project, patterns) => unknown(patterns[0] ?? ''),
  watch: () => () => undefined,
};

function unknown(path: string): never {
  throw new NodeError('tag_unknown', `there is no tag "${path}"`);
}
