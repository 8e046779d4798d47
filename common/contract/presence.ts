import { z } from 'zod';
import { declareCall } from './declaration.ts';
import { listOf } from './records.ts';

const WINDOW = '/projects/:project/pipelines/:pipeline/windows/:window';

export const WINDOW_ID = /^[A-Za-z0-9_-]{8,64}$/;

const presence = z.strictObject({
  name: z.string(),
  since: z.iso.datetime(),
  own: z.boolean().meta({ description: 'True: the user of this call, in another window.' }),
});
export type Presence = z.infer<typeof presence>;

export const presenceContract = {
  stay: declareCall({
    method: 'put',
    path: WINDOW,
    access: 'view',
    audit: { none: 'It reports that a window is open, and expires after 30 s.' },
    usersOnly: true,
    summary: 'Report an open pipeline',
    description:
      'Reports that a window has the pipeline open, and lists the users who have it open in other windows. A window counts for 30 s; repeat the call before that. The ID of the window is chosen by the client.',
    response: listOf(presence),
  }),
  leave: declareCall({
    method: 'delete',
    path: WINDOW,
    access: 'view',
    audit: { none: 'It reports that a window is closed.' },
    usersOnly: true,
    summary: 'Report a closed pipeline',
    description: 'Reports that the window has closed the pipeline. Without this call, it counts for 30 s.',
    response: null,
  }),
};
