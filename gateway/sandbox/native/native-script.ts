import { parse, type Program } from 'acorn';
import { beginRun, CODE_CHARS_MAX, LeftToSandbox } from './budget.ts';
import { beginChanges, endChanges } from './changes.ts';
import { Compiler } from './compile.ts';
import { checkInput, toResult, type Value } from './data.ts';
import type { Callback } from './methods.ts';
import { Outside } from './outside.ts';
import { Scope } from './scope.ts';

/**
 * A script that needs only a small, pure part of JavaScript, compiled to functions (docs/spec/sandbox.md#native-runs).
 * It reads own properties of plain data alone and calls nothing but functions of its own and those of two tables.
 */
export interface NativeScript {
  /**
   * The result of a message, a copy as the sandbox makes it. LEFT for each outcome that is the sandbox's: errors, limits,
   * rare values. Nothing has an effect outside of a run, so it can be repeated there.
   */
  run(message: unknown): unknown;
}

export const LEFT = Symbol('left to the sandbox');

/** Throws Outside for a script that needs more. The code must be one that the sandbox accepts. */
export function compileNative(code: string): NativeScript {
  if (code.length > CODE_CHARS_MAX) throw new Outside('size', null);
  // The sandbox reads the code as UTF-8, which has no half of a character.
  if (!code.isWellFormed()) throw new Outside('syntax', 1);
  const { script, changes } = compiled(parsed(code));
  return {
    run(message) {
      try {
        beginRun();
        beginChanges(changes);
        checkInput(message);
        return toResult(script(message));
      } catch (error) {
        return leftOr(error);
      } finally {
        endChanges();
      }
    },
  };
}

function parsed(code: string): Program {
  try {
    return parse(code, { ecmaVersion: 'latest', sourceType: 'module', locations: true });
  } catch {
    throw new Outside('syntax', null);
  }
}

function compiled(program: Program): { script: Callback; changes: boolean } {
  beginRun();
  try {
    const compiler = new Compiler(new Scope(null));
    return { script: compiler.module(program), changes: compiler.changes };
  } catch (error) {
    if (leftOr(error) === LEFT) throw new Outside('statement', null);
    throw error;
  }
}

/** Too deep a nesting is the sandbox's too. */
function leftOr(error: unknown): Value {
  if (error instanceof LeftToSandbox || error instanceof RangeError) return LEFT;
  throw error;
}
