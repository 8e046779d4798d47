/** Everything that a plugin finds in the sandbox. Made by Sluice from its capability calls. */

/** What travels along the wires of a pipeline. */
interface ScriptMessage {
  readonly payload: unknown;
  /** Null in a run that no request began. */
  readonly request: ScriptRequest | null;
  /** Null without an API key. */
  readonly caller: ScriptCaller | null;
  /** Only on a message that left a node by its error port. */
  readonly error?: { readonly node: string; readonly code: string; readonly message: string };
}
interface ScriptRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly route: string;
  readonly ip: string;
  /** RFC 3339, UTC. */
  readonly receivedAt: string;
}
interface ScriptCaller {
  readonly keyId: string;
  readonly name: string;
  readonly scopes: readonly string[];
}

/** With bad quality the value is null and the reason says why. */
interface TagValue {
  path: string;
  value: unknown;
  quality: 'good' | 'uncertain' | 'bad';
  reason: string | null;
  time: string | null;
  unit: string;
}

interface QueryResult {
  rows: Record<string, unknown>[];
  rowCount: number;
  truncated: boolean;
}

interface HistorySeries {
  tag: string;
  unit: string;
  points: { time: string; value: unknown; quality: 'good' | 'uncertain' | 'bad' }[];
  truncated: boolean;
}

interface VariableEntry {
  name: string;
  value: unknown;
  updatedAt: string;
}

interface FileEntry {
  name: string;
  folder: boolean;
  bytes: number;
  modifiedAt: string;
}

declare const tags: {
  /**
   * Reads one tag.
   * Needs the scope tag:read.
   * @param path Such as line7/filler/speed.
   * @param maxAge Seconds; an older value, or one without good or uncertain quality, fails with tag_stale.
   */
  read(path: string, maxAge?: number): Promise<TagValue>;
  /**
   * Reads one tag.
   * Needs the scope tag:read.
   * @param path Such as line7/filler/speed.
   * @param maxAge Seconds; an older value, or one without good or uncertain quality, fails with tag_stale.
   */
  read(args: { path: string; maxAge?: number }): Promise<TagValue>;
  /**
   * Reads many tags; "*" matches any characters of a name, "**" everything below a folder.
   * Needs the scope tag:read.
   * @param paths Paths and patterns, such as line7/**.
   * @param maxAge Seconds; an older value, or one without good or uncertain quality, fails with tag_stale.
   */
  readMany(paths: string[], maxAge?: number): Promise<TagValue[]>;
  /**
   * Reads many tags; "*" matches any characters of a name, "**" everything below a folder.
   * Needs the scope tag:read.
   * @param paths Paths and patterns, such as line7/**.
   * @param maxAge Seconds; an older value, or one without good or uncertain quality, fails with tag_stale.
   */
  readMany(args: { paths: string[]; maxAge?: number }): Promise<TagValue[]>;
  /**
   * Writes one tag; done when its source has taken the value.
   * Needs the scope tag:write.
   * @param path Such as line7/filler/setpoint.
   * @param value Of the type of the tag.
   */
  write(path: string, value: unknown): Promise<null>;
  /**
   * Writes one tag; done when its source has taken the value.
   * Needs the scope tag:write.
   * @param path Such as line7/filler/setpoint.
   * @param value Of the type of the tag.
   */
  write(args: { path: string; value: unknown }): Promise<null>;
  /**
   * Writes many tags; fails with the first that cannot be written, naming those that were.
   * Needs the scope tag:write.
   * @param writes Done in this order.
   */
  writeMany(writes: { path: string; value: unknown }[]): Promise<null>;
};

declare const db: {
  /**
   * Runs a named query of the project.
   * Needs the scope db:read.
   * @param name The id of the named query.
   * @param params Values by parameter name. {} unless given.
   */
  query(name: string, params?: Record<string, unknown>): Promise<QueryResult>;
  /**
   * Runs a named query of the project.
   * Needs the scope db:read.
   * @param name The id of the named query.
   * @param params Values by parameter name. {} unless given.
   */
  query(args: { name: string; params?: Record<string, unknown> }): Promise<QueryResult>;
  /**
   * Runs one SQL statement; :name is a parameter, which is always bound.
   * Needs the scope db:write.
   * @param connection A connection of the project; "embedded" is its own database.
   * @param sql One statement.
   * @param params Values by parameter name. {} unless given.
   */
  sql(connection: string, sql: string, params?: Record<string, unknown>): Promise<QueryResult>;
  /**
   * Runs one SQL statement; :name is a parameter, which is always bound.
   * Needs the scope db:write.
   * @param connection A connection of the project; "embedded" is its own database.
   * @param sql One statement.
   * @param params Values by parameter name. {} unless given.
   */
  sql(args: { connection: string; sql: string; params?: Record<string, unknown> }): Promise<QueryResult>;
  /**
   * Runs statements in one transaction: all of them, or none.
   * Needs the scope db:write.
   * @param connection A connection of the project; "embedded" is its own database.
   * @param statements Done in this order.
   */
  transaction(
    connection: string,
    statements: { sql: string; params?: Record<string, unknown> }[],
  ): Promise<QueryResult[]>;
  /**
   * Runs statements in one transaction: all of them, or none.
   * Needs the scope db:write.
   * @param connection A connection of the project; "embedded" is its own database.
   * @param statements Done in this order.
   */
  transaction(args: {
    connection: string;
    statements: { sql: string; params?: Record<string, unknown> }[];
  }): Promise<QueryResult[]>;
  /**
   * Calls a stored procedure.
   * Needs the scope db:write.
   * @param connection A connection of the project; "embedded" is its own database.
   * @param procedure Such as book_order or dbo.book_order.
   * @param params Values by parameter name. {} unless given.
   */
  procedure(connection: string, procedure: string, params?: Record<string, unknown>): Promise<QueryResult>;
  /**
   * Calls a stored procedure.
   * Needs the scope db:write.
   * @param connection A connection of the project; "embedded" is its own database.
   * @param procedure Such as book_order or dbo.book_order.
   * @param params Values by parameter name. {} unless given.
   */
  procedure(args: { connection: string; procedure: string; params?: Record<string, unknown> }): Promise<QueryResult>;
};

declare const historian: {
  /**
   * Reads recorded values of tags, raw or as one value per interval.
   * Needs the scope hist:read.
   * @param tags Paths and patterns.
   * @param from RFC 3339, now, or now-8h (s, m, h, d).
   * @param to As `from`; what is at `to` itself is not counted. "now" unless given.
   * @param aggregate raw = every recorded value; the others give one value per interval. "raw" unless given.
   * @param interval Seconds of one bucket; 0 = one for the whole range. 0 unless given.
   * @param limit Points of one tag at most. 10000 unless given.
   */
  query(
    tags: string[],
    from: string,
    to?: string,
    aggregate?:
      'raw' | 'lastBefore' | 'interpolated' | 'min' | 'max' | 'mean' | 'timeWeightedMean' | 'count' | 'first' | 'last',
    interval?: number,
    limit?: number,
  ): Promise<HistorySeries[]>;
  /**
   * Reads recorded values of tags, raw or as one value per interval.
   * Needs the scope hist:read.
   * @param tags Paths and patterns.
   * @param from RFC 3339, now, or now-8h (s, m, h, d).
   * @param to As `from`; what is at `to` itself is not counted. "now" unless given.
   * @param aggregate raw = every recorded value; the others give one value per interval. "raw" unless given.
   * @param interval Seconds of one bucket; 0 = one for the whole range. 0 unless given.
   * @param limit Points of one tag at most. 10000 unless given.
   */
  query(args: {
    tags: string[];
    from: string;
    to?: string;
    aggregate?:
      'raw' | 'lastBefore' | 'interpolated' | 'min' | 'max' | 'mean' | 'timeWeightedMean' | 'count' | 'first' | 'last';
    interval?: number;
    limit?: number;
  }): Promise<HistorySeries[]>;
};

declare const vars: {
  /**
   * Reads a variable of the project; null if it was never set.
   * Needs the scope vars:read.
   * @param name Such as shift/current.
   */
  get(name: string): Promise<unknown>;
  /**
   * Sets a variable to a JSON value.
   * Needs the scope vars:write.
   * @param name Such as shift/current.
   * @param value Any JSON.
   */
  set(name: string, value: unknown): Promise<null>;
  /**
   * Sets a variable to a JSON value.
   * Needs the scope vars:write.
   * @param name Such as shift/current.
   * @param value Any JSON.
   */
  set(args: { name: string; value: unknown }): Promise<null>;
  /**
   * Adds to a number in one step and returns the sum; a variable that was never set counts as 0.
   * Needs the scope vars:write.
   * @param name Such as orders/today.
   * @param by May be negative. 1 unless given.
   */
  increment(name: string, by?: number): Promise<number>;
  /**
   * Adds to a number in one step and returns the sum; a variable that was never set counts as 0.
   * Needs the scope vars:write.
   * @param name Such as orders/today.
   * @param by May be negative. 1 unless given.
   */
  increment(args: { name: string; by?: number }): Promise<number>;
  /**
   * Sets a variable only if it holds the expected value; null = never set. True when it was set.
   * Needs the scope vars:write.
   * @param name Such as shift/current.
   * @param expected The value that it must have now, compared by content.
   * @param value The new value.
   */
  compareAndSet(name: string, expected: unknown, value: unknown): Promise<boolean>;
  /**
   * Sets a variable only if it holds the expected value; null = never set. True when it was set.
   * Needs the scope vars:write.
   * @param name Such as shift/current.
   * @param expected The value that it must have now, compared by content.
   * @param value The new value.
   */
  compareAndSet(args: { name: string; expected: unknown; value: unknown }): Promise<boolean>;
  /**
   * Lists the variables of the project, by name.
   * Needs the scope vars:read.
   * @param prefix The start of the names. "" unless given.
   */
  list(prefix?: string): Promise<VariableEntry[]>;
  /**
   * Removes a variable; false if it does not exist.
   * Needs the scope vars:write.
   * @param name Such as shift/current.
   */
  remove(name: string): Promise<boolean>;
};

declare const files: {
  /**
   * Reads a file from the project's workspace.
   * Needs the scope file:read.
   * @param path Such as reports/today.csv.
   * @param format csv gives and takes a list of objects, one per line, named by the first line. "text" unless given.
   */
  read(path: string, format?: 'text' | 'json' | 'csv' | 'bytes'): Promise<unknown>;
  /**
   * Reads a file from the project's workspace.
   * Needs the scope file:read.
   * @param path Such as reports/today.csv.
   * @param format csv gives and takes a list of objects, one per line, named by the first line. "text" unless given.
   */
  read(args: { path: string; format?: 'text' | 'json' | 'csv' | 'bytes' }): Promise<unknown>;
  /**
   * Lists a folder of the project's workspace; '' is the workspace itself.
   * Needs the scope file:read.
   * @param folder Such as reports. "" unless given.
   */
  list(folder?: string): Promise<FileEntry[]>;
  /**
   * Writes a file whole: the old content or the new, never a part.
   * Needs the scope file:write.
   * @param path Such as reports/today.csv; folders are created.
   * @param content As the format says.
   * @param format csv gives and takes a list of objects, one per line, named by the first line. "text" unless given.
   */
  write(path: string, content: unknown, format?: 'text' | 'json' | 'csv' | 'bytes'): Promise<{ bytes: number }>;
  /**
   * Writes a file whole: the old content or the new, never a part.
   * Needs the scope file:write.
   * @param path Such as reports/today.csv; folders are created.
   * @param content As the format says.
   * @param format csv gives and takes a list of objects, one per line, named by the first line. "text" unless given.
   */
  write(args: {
    path: string;
    content: unknown;
    format?: 'text' | 'json' | 'csv' | 'bytes';
  }): Promise<{ bytes: number }>;
  /**
   * Removes a file; false if it does not exist.
   * Needs the scope file:write.
   * @param path Such as reports/old.csv.
   */
  remove(path: string): Promise<boolean>;
};

declare const scripts: {
  /**
   * Runs a library script of the project with the caller's rights and returns what it returns.
   * Needs the scope script:execute.
   * @param name The id of the library script.
   * @param args The argument of its function.
   */
  run(name: string, args?: unknown): Promise<unknown>;
  /**
   * Runs a library script of the project with the caller's rights and returns what it returns.
   * Needs the scope script:execute.
   * @param name The id of the library script.
   * @param args The argument of its function.
   */
  run(args: { name: string; args?: unknown }): Promise<unknown>;
};

declare const messages: {
  /**
   * Sends a message to the running message-in nodes of this channel in the project.
   * Needs the scope script:execute.
   * @param channel Such as orders/taken.
   * @param payload Copied; any JSON and bytes.
   */
  send(channel: string, payload: unknown): Promise<{ receivers: number }>;
  /**
   * Sends a message to the running message-in nodes of this channel in the project.
   * Needs the scope script:execute.
   * @param channel Such as orders/taken.
   * @param payload Copied; any JSON and bytes.
   */
  send(args: { channel: string; payload: unknown }): Promise<{ receivers: number }>;
};

declare const http: {
  /**
   * Calls an HTTP target that the manifest names and an administrator approved.
   * @param method "GET" unless given.
   * @param headers {} unless given.
   * @param body Bytes and texts as they are; anything else as JSON.
   * @param timeout 10 unless given.
   */
  request(
    url: string,
    method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD',
    headers?: Record<string, string>,
    body?: unknown,
    timeout?: number,
  ): Promise<{ status: number; headers: Record<string, string>; body: unknown }>;
  /**
   * Calls an HTTP target that the manifest names and an administrator approved.
   * @param method "GET" unless given.
   * @param headers {} unless given.
   * @param body Bytes and texts as they are; anything else as JSON.
   * @param timeout 10 unless given.
   */
  request(args: {
    url: string;
    method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD';
    headers?: Record<string, string>;
    body?: unknown;
    timeout?: number;
  }): Promise<{ status: number; headers: Record<string, string>; body: unknown }>;
};

/**
 * Writes a line to the log of the pipeline.
 * @param message One line; what looks like a key is masked.
 * @param level "info" unless given.
 */
declare function log(message: string, level?: 'debug' | 'info' | 'warn' | 'error'): Promise<null>;
/**
 * Writes a line to the log of the pipeline.
 * @param message One line; what looks like a key is masked.
 * @param level "info" unless given.
 */
declare function log(args: { message: string; level?: 'debug' | 'info' | 'warn' | 'error' }): Promise<null>;

/** What leaves the node, by the port `out` unless it says another; nothing = this path ends here. */
type PluginResult = { readonly port?: string; readonly payload: unknown } | null | undefined | void;
/** One node kind: gets a message and the node's settings, which fit the schema in the manifest. */
type PluginFunction<Settings> = (message: ScriptMessage, settings: Settings) => PluginResult | Promise<PluginResult>;
/** The default export of a plugin's module: a function for each kind of the manifest, by its id. */
type SluicePlugin = Readonly<Record<string, PluginFunction<never>>>;
