import type { NodeKind } from '#sdk';
import { delay } from './delay/index.ts';
import { fileRead } from './file-read/index.ts';
import { fileWrite } from './file-write/index.ts';
import { historyRead } from './history-read/index.ts';
import { httpResponse } from './http-response/index.ts';
import { log } from './log/index.ts';
import { messageIn } from './message-in/index.ts';
import { messageOut } from './message-out/index.ts';
import { namedQuery } from './named-query/index.ts';
import { restApi } from './rest-api/index.ts';
import { script } from './script/index.ts';
import { set } from './set/index.ts';
import { sql } from './sql/index.ts';
import { storedProcedure } from './stored-procedure/index.ts';
import { switchKind } from './switch/index.ts';
import { tagChange } from './tag-change/index.ts';
import { tagRead } from './tag-read/index.ts';
import { tagWrite } from './tag-write/index.ts';
import { timer } from './timer/index.ts';
import { transaction } from './transaction/index.ts';
import { transform } from './transform/index.ts';
import { validate } from './validate/index.ts';
import { variableRead } from './variable-read/index.ts';
import { variableWrite } from './variable-write/index.ts';

export { manifestOf } from './manifest.ts';

/** The built-in node kinds, in the order of the editor. */
export const kinds: readonly NodeKind[] = [
  restApi,
  httpResponse,
  transform,
  validate,
  switchKind,
  set,
  log,
  delay,
  tagRead,
  tagWrite,
  tagChange,
  namedQuery,
  sql,
  transaction,
  storedProcedure,
  historyRead,
  variableRead,
  variableWrite,
  fileRead,
  fileWrite,
  script,
  messageOut,
  messageIn,
  timer,
];
