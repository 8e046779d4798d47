import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { PipelineDefinition } from '#common/model/pipeline.ts';
import { kinds, manifestOf } from '#plugins';
import { COLUMN, NODE_WIDTH, placedNodes } from './geometry.ts';
import { COLUMNS_USUAL, tidy } from './layout.ts';

const KINDS = new Map(kinds.map(manifestOf).map((kind) => [kind.id, kind]));
const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../docs/samples/${name}.json`, import.meta.url), 'utf8')) as {
    pipelines: PipelineDefinition[];
  };

test.each(['demo', 'filling-line', 'sample-line'])(
  'every pipeline of %s fits into a window of 1280 px at 100 %%, laid out as by Tidy',
  (name) => {
    for (const pipeline of read(name).pipelines) {
      const right = Math.max(...placedNodes(pipeline, KINDS, null).map(({ x, width }) => x + width));
      expect(right, pipeline.id).toBeLessThanOrEqual((COLUMNS_USUAL - 1) * COLUMN + NODE_WIDTH);
      expect(tidy(pipeline, KINDS), pipeline.id).toBe(pipeline);
    }
  },
);
