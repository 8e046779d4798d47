import { z } from 'zod';
import { expected } from '../errors/rules.ts';

export const PROJECT_ID = /^[a-z0-9][a-z0-9-]{0,62}$/;
export const NODE_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Device names of Windows: the folder of a project cannot have them. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/** For projects and pipelines. */
export const projectId = z
  .string({ error: expected('text') })
  .regex(PROJECT_ID, expected('id'))
  .refine((id) => !DEVICE_NAME.test(id), expected('id_device'));

export const nodeId = z.string({ error: expected('text') }).regex(NODE_ID, expected('node_id'));
export const displayName = z
  .string({ error: expected('text') })
  .trim()
  .min(1, expected('length', { from: 1, to: 64 }))
  .max(64, expected('length', { from: 1, to: 64 }));

/**
 * Line breaks, control characters, and characters that are invisible or change the direction of text: a name could look
 * like another one.
 */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u;

export const NAME_EXPECTED = expected('name_unseen');

/** For new names; stored names are read with `displayName`. */
export const newName = displayName.refine((name) => !UNSEEN.test(name), NAME_EXPECTED);
