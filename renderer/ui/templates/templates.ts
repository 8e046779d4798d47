import { acceptOrders } from './accept-orders.ts';
import { countCalls } from './count-calls.ts';
import { dropFile } from './drop-file.ts';
import { forwardEvents } from './forward-events.ts';
import { readTags } from './read-tags.ts';
import { recipeById } from './recipe-by-id.ts';
import { recordValues } from './record-values.ts';
import { scriptCall } from './script-call.ts';
import { serveFiles } from './serve-files.ts';
import { storeMeasurement } from './store-measurement.ts';
import { tagChangeCall } from './tag-change-call.ts';
import { twoTargets } from './two-targets.ts';
import { webhook } from './webhook.ts';
import { writeTag } from './write-tag.ts';
import type { PipelineTemplate } from './template.ts';

/** In display order. */
export const TEMPLATES: readonly PipelineTemplate[] = [
  acceptOrders,
  readTags,
  writeTag,
  storeMeasurement,
  recipeById,
  forwardEvents,
  twoTargets,
  recordValues,
  tagChangeCall,
  dropFile,
  serveFiles,
  countCalls,
  webhook,
  scriptCall,
];
