import type { z } from 'zod';
import type { CONTRACT } from './contract.ts';

/**
 * The contract for clients: only types, so that a client loads no schemas. A call is named by its method and path, such
 * as `POST /projects/:project/keys`.
 */
type Areas = typeof CONTRACT;
type AnyCall = { [Area in keyof Areas]: Areas[Area][keyof Areas[Area]] }[keyof Areas];
type Calls = { [Call in AnyCall as `${Uppercase<Call['method']>} ${Call['path']}`]: Call };

export type CallName = keyof Calls;

/** The names of the path parameters; `never` for a path without parameters. */
type ParameterIn<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? ParameterIn<Segment> | ParameterIn<Rest>
  : Path extends `:${infer Name}`
    ? Name
    : never;

type PathInput<Name extends CallName> = [ParameterIn<Calls[Name]['path']>] extends [never]
  ? { path?: undefined }
  : { path: Record<ParameterIn<Calls[Name]['path']>, string | number> };

type QueryInput<Name extends CallName> = Calls[Name] extends { query: infer Query extends z.ZodType }
  ? { query?: { [Field in keyof z.input<Query>]?: string | number | undefined } }
  : { query?: undefined };

/** Lists may be read-only. */
type Sent<T> = T extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : T extends object
    ? { [Field in keyof T]: Sent<T[Field]> }
    : T;

export type CallBody<Name extends CallName> = Calls[Name] extends { body: infer Body extends z.ZodType }
  ? Sent<z.input<Body>>
  : undefined;

/** A file is sent as the body, unchanged. */
type BodyInput<Name extends CallName> = Calls[Name] extends { body: z.ZodType }
  ? { body: CallBody<Name> } | { file: { content: Blob; contentType: string } }
  : { body?: Record<string, never> };

export type CallInput<Name extends CallName> = PathInput<Name> & QueryInput<Name> & BodyInput<Name>;

/** The parsed response; undefined for a call that returns no JSON. */
export type CallAnswer<Name extends CallName> = Calls[Name] extends { response: infer Answer extends z.ZodType }
  ? z.output<Answer>
  : undefined;

/** Calls that answer a list page by page. */
export type ListName = { [Name in CallName]: CallAnswer<Name> extends { items: unknown[] } ? Name : never }[CallName];
export type ListItem<Name extends ListName> = CallAnswer<Name> extends { items: (infer Item)[] } ? Item : never;
