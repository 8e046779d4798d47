/**
 * Everything that a node kind may import. A kind is one object created by `defineKind`: the form in the editor, its
 * page in the documentation, the check at the start and the tests are derived from it.
 */
export { z } from 'zod';
export { scopeList, textList } from '#common/model/fields.ts';
export type { Message, Reply } from '#common/model/message.ts';
export type { Scope, ScopeMask } from '#common/scopes.ts';
export * from './bind.ts';
export * from './fields.ts';
export * from './into.ts';
export { type CheckError, type ReadSchema, readSchema, schemaCheck } from './json-schema/compile-schema.ts';
export * from './json-schema/stepped-check.ts';
export * from './json-in-pieces.ts';
export * from './json.ts';
export * from './kind.ts';
export * from './linear-pattern.ts';
export * from './message.ts';
export * from './name-template.ts';
export * from '#common/model/message-path.ts';
export * from './run-timeout.ts';
export * from './tag-ref.ts';
export * from './sql-fields.ts';
export * from './template.ts';
export * from './value-source.ts';
export * from './write-path.ts';
