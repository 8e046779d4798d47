import type { PipelineDefinition } from '#common/model/pipeline.ts';
import type { ScriptEngine } from '#common/model/script-engine.ts';
import type { Settings } from '#common/model/settings.ts';
import { CODE_CHARS_MAX } from '../sandbox/native/budget.ts';
import { compileNative } from '../sandbox/native/native-script.ts';
import { Outside } from '../sandbox/native/outside.ts';

/** Limit of the compiled characters of one check, and the minimum count of a short script: about 50 ms in total. */
const CODE_CHARS_PER_CHECK = 256 * 1024;
const CODE_CHARS_MIN = 2 * 1024;

/** The engine of each transform that is switched on. A script that cannot be parsed has none. */
export function scriptEngines({ nodes }: PipelineDefinition, execution: Settings['scriptExecution']): ScriptEngine[] {
  let left = CODE_CHARS_PER_CHECK;
  return nodes.flatMap(({ id, kind, settings, off }) => {
    const code = settings['code'];
    if (kind !== 'transform' || off === true || typeof code !== 'string' || code === '') return [];
    left -= Math.max(CODE_CHARS_MIN, Math.min(code.length, CODE_CHARS_MAX));
    if (left < 0) return [];
    const found: Place | null =
      execution === 'native' ? engineOf(code) : { engine: 'sandbox', reason: 'setting', line: null };
    return found === null ? [] : [{ node: id, ...found }];
  });
}

type Place = Omit<ScriptEngine, 'node'>;

function engineOf(code: string): Place | null {
  try {
    compileNative(code);
    return { engine: 'native', reason: null, line: null };
  } catch (error) {
    if (!(error instanceof Outside)) throw error;
    const { reason, line } = error;
    return reason === 'syntax' && line === null ? null : { engine: 'sandbox', reason, line };
  }
}
