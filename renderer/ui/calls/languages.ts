import type { RouteDetail } from '#common/model/route-record.ts';
import { codesysCall } from './codesys.ts';
import { csharpCall } from './csharp.ts';
import { curlCall } from './curl.ts';
import { KEY_VARIABLE } from './key-variable.ts';
import { lhttpCall } from './lhttp.ts';
import { nodeRedCall } from './node-red.ts';
import { type CallPlan, KEY_PLACEHOLDER, planOf } from './plan.ts';
import { pythonCall } from './python.ts';
import { twincatCall } from './twincat.ts';

/** The languages in which a call of a route is shown. */
export const LANGUAGES = ['curl', 'python', 'csharp', 'lhttp', 'codesys', 'twincat', 'nodeRed'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Added to the timeout of the route, so that the client receives the 504 instead of closing the connection. */
const PATIENCE_SECONDS = 5;

const CODE: Readonly<Record<Language, (plan: CallPlan, seconds: number, name: string) => string>> = {
  curl: (plan) => curlCall(plan, KEY_PLACEHOLDER),
  python: pythonCall,
  csharp: csharpCall,
  lhttp: lhttpCall,
  codesys: codesysCall,
  twincat: twincatCall,
  nodeRed: (plan, _seconds, name) => nodeRedCall(plan, name),
};

/** The code never contains the key. */
export function codeOf(language: Language, detail: RouteDetail): string {
  const plan = planOf(detail);
  const seconds = Math.ceil(detail.route.timeout) + PATIENCE_SECONDS;
  return CODE[language](plan, seconds, detail.route.pipelineName);
}

/**
 * A command that asks for the key and stores it in the variable that the code reads; null: the code has a placeholder
 * for it.
 */
export function keyCommandOf(language: Language): string | null {
  switch (language) {
    case 'curl':
    case 'python':
      return `read -rs ${KEY_VARIABLE} && export ${KEY_VARIABLE}`;
    case 'csharp':
      return `$env:${KEY_VARIABLE} = Read-Host 'API key'`;
    case 'lhttp':
    case 'codesys':
    case 'twincat':
    case 'nodeRed':
      return null;
  }
}
