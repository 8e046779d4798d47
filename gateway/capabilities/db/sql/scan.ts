import { DATABASE_KINDS } from '#common/model/connection-kinds.ts';
import { NodeError } from '#sdk';

/**
 * Finds `:name` parameters in SQL, so that values are bound and never concatenated. It parses only as much of each
 * dialect as is needed to decide whether a character is inside a text, a quoted name or a comment; everything else
 * passes unchanged.
 *
 * Security: if it parses SQL differently from the server, a placeholder is moved or lost, and the server then refuses
 * the statement; a value is never put into the text. Known weaknesses: in PostgreSQL `a[1:n]` is a slice, so a
 * parameter there needs a space before it (`a[1 : :n]`); MySQL with NO_BACKSLASH_ESCAPES is parsed as without it, which
 * is why a session turns it off.
 */
export const DIALECTS = ['sqlite', ...DATABASE_KINDS] as const;
export type Dialect = (typeof DIALECTS)[number];

export type Piece = { readonly text: string } | { readonly param: string };

export interface ScannedSql {
  readonly pieces: readonly Piece[];
  /** The first word, in lower case; empty if the statement begins with something else. */
  readonly keyword: string;
  /** True if something other than a comment follows a `;`. */
  readonly goesOnAfterSemicolon: boolean;
}

interface Rules {
  readonly backslash: boolean;
  readonly nestedComments: boolean;
  readonly hashComments: boolean;
  readonly dashNeedsBlank: boolean;
  readonly dollarQuotes: boolean;
  readonly backticks: boolean;
  readonly brackets: 'none' | 'plain' | 'doubled';
  /** The server's own positional parameters, which would be bound to the wrong value. */
  readonly ownPlaces: RegExp | null;
}

const RULES: Readonly<Record<Dialect, Rules>> = {
  sqlite: {
    backslash: false,
    nestedComments: false,
    hashComments: false,
    dashNeedsBlank: false,
    dollarQuotes: false,
    backticks: true,
    brackets: 'plain',
    ownPlaces: /[?$@]\w*/y,
  },
  postgresql: {
    backslash: false,
    nestedComments: true,
    hashComments: false,
    dashNeedsBlank: false,
    dollarQuotes: true,
    backticks: false,
    brackets: 'none',
    ownPlaces: /\$\d+/y,
  },
  mysql: {
    backslash: true,
    nestedComments: false,
    hashComments: true,
    dashNeedsBlank: true,
    dollarQuotes: false,
    backticks: true,
    brackets: 'none',
    ownPlaces: /\?/y,
  },
  sqlserver: {
    backslash: false,
    nestedComments: true,
    hashComments: false,
    dashNeedsBlank: false,
    dollarQuotes: false,
    backticks: false,
    brackets: 'doubled',
    ownPlaces: null,
  },
};

const WORD = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y;
const NUMBER = /\d[\w.]*/y;
const PLACE = /:([A-Za-z_]\w*)/y;
const DOLLAR_TAG = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;
const AFTER_PLACE = /[$\u0080-\uffff]/;

/** Throws NodeError `sql_invalid`. Linear in the text. */
export function scanSql(sql: string, dialect: Dialect): ScannedSql {
  if (sql.includes('\0')) throw new NodeError('sql_invalid', 'the SQL contains a NUL character; expected none');
  return new Scanner(sql, dialect).scan();
}

class Scanner {
  readonly #sql: string;
  readonly #dialect: Dialect;
  readonly #rules: Rules;
  readonly #pieces: Piece[] = [];
  #at = 0;
  #from = 0;
  #keyword: string | null = null;
  #ended = false;
  #goesOn = false;

  constructor(sql: string, dialect: Dialect) {
    this.#sql = sql;
    this.#dialect = dialect;
    this.#rules = RULES[dialect];
  }

  scan(): ScannedSql {
    while (this.#at < this.#sql.length) {
      if (this.#blank() || this.#comment()) continue;
      this.#goesOn ||= this.#ended && this.#sql[this.#at] !== ';';
      if (this.#place() || this.#word()) continue;
      this.#keyword ??= '';
      if (this.#number() || this.#quoted()) continue;
      this.#refuseOwnPlace();
      this.#ended ||= this.#sql[this.#at] === ';';
      // The two colons of a cast are one operator: the second one does not begin a name.
      this.#at += this.#sql.startsWith('::', this.#at) ? 2 : 1;
    }
    this.#text(this.#sql.length);
    return { pieces: this.#pieces, keyword: this.#keyword ?? '', goesOnAfterSemicolon: this.#goesOn };
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#sql);
  }

  #text(end: number): void {
    if (end > this.#from) this.#pieces.push({ text: this.#sql.slice(this.#from, end) });
  }

  #blank(): boolean {
    if (!/\s/.test(this.#sql[this.#at] ?? '')) return false;
    this.#at += 1;
    return true;
  }

  #comment(): boolean {
    const { hashComments, dashNeedsBlank } = this.#rules;
    if (hashComments && this.#sql[this.#at] === '#') return this.#toLineEnd();
    if (this.#sql.startsWith('--', this.#at)) {
      const after = this.#sql[this.#at + 2];
      if (!dashNeedsBlank || after === undefined || after <= ' ') return this.#toLineEnd();
    }
    if (!this.#sql.startsWith('/*', this.#at)) return false;
    // MySQL executes the content of such a comment; it cannot be the expected word.
    if (this.#dialect === 'mysql' && /^\/\*M?!/.test(this.#sql.slice(this.#at, this.#at + 4))) this.#keyword ??= '';
    this.#at = this.#commentEnd();
    return true;
  }

  #toLineEnd(): true {
    const end = this.#dialect === 'postgresql' ? /[\r\n]/g : /\n/g;
    end.lastIndex = this.#at;
    this.#at = end.exec(this.#sql)?.index ?? this.#sql.length;
    return true;
  }

  #commentEnd(): number {
    if (!this.#rules.nestedComments) {
      const end = this.#sql.indexOf('*/', this.#at + 2);
      return end < 0 ? this.#sql.length : end + 2;
    }
    const edge = /\/\*|\*\//g;
    edge.lastIndex = this.#at;
    let depth = 0;
    for (let found = edge.exec(this.#sql); found !== null; found = edge.exec(this.#sql)) {
      depth += found[0] === '/*' ? 1 : -1;
      if (depth === 0) return edge.lastIndex;
    }
    return this.#sql.length;
  }

  #place(): boolean {
    const found = this.#match(PLACE);
    if (found?.[1] === undefined) return false;
    const end = this.#at + found[0].length;
    if (AFTER_PLACE.test(this.#sql[end] ?? ''))
      throw new NodeError(
        'sql_invalid',
        `the parameter ":${found[1]}" continues with a character that names cannot have`,
      );
    this.#text(this.#at);
    this.#pieces.push({ param: found[1] });
    this.#at = end;
    this.#from = end;
    this.#keyword ??= '';
    return true;
  }

  /** Reads a word as a whole, so that an `e` at its end is not taken for the prefix of an escape string. */
  #word(): boolean {
    const [word] = this.#match(WORD) ?? [];
    if (word === undefined) return false;
    this.#keyword ??= word.toLowerCase();
    this.#at += word.length;
    if (this.#dialect === 'postgresql' && /^e$/i.test(word) && this.#sql[this.#at] === "'") this.#escapeText();
    this.#skipSlice();
    return true;
  }

  #number(): boolean {
    const [number] = this.#match(NUMBER) ?? [];
    if (number === undefined) return false;
    this.#at += number.length;
    this.#skipSlice();
    return true;
  }

  #skipSlice(): void {
    const { [this.#at]: here, [this.#at + 1]: next } = this.#sql;
    if (this.#dialect !== 'postgresql' || here !== ':' || next === ':') return;
    this.#at += 1;
    const [word] = this.#match(WORD) ?? [];
    this.#at += word?.length ?? 0;
  }

  #quoted(): boolean {
    const { backslash, backticks, brackets, dollarQuotes } = this.#rules;
    const mark = this.#sql[this.#at];
    if (mark === "'") return this.#skipQuoted("'", backslash, true);
    if (mark === '"') return this.#skipQuoted('"', backslash, true);
    if (mark === '`' && backticks) return this.#skipQuoted('`', false, true);
    if (mark === '[' && brackets !== 'none') return this.#skipQuoted(']', false, brackets === 'doubled');
    const [tag] = (dollarQuotes && this.#match(DOLLAR_TAG)) || [];
    if (tag === undefined) return false;
    const end = this.#sql.indexOf(tag, this.#at + tag.length);
    this.#at = end < 0 ? this.#sql.length : end + tag.length;
    return true;
  }

  #escapeText(): void {
    do this.#skipQuoted("'", true, true);
    while (this.#continues());
  }

  /**
   * In PostgreSQL, strings separated by white space with a line break (including comments) are one string and follow
   * the same rule.
   */
  #continues(): boolean {
    const start = this.#at;
    let broken = false;
    while (this.#at < this.#sql.length) {
      const here = this.#sql[this.#at] ?? '';
      if (here === '\n' || here === '\r') broken = true;
      if (this.#blank()) continue;
      if (!this.#sql.startsWith('--', this.#at)) break;
      this.#toLineEnd();
    }
    if (broken && this.#sql[this.#at] === "'") return true;
    this.#at = start;
    return false;
  }

  #skipQuoted(close: string, backslash: boolean, doubled: boolean): true {
    let at = this.#at + 1;
    for (; at < this.#sql.length; at += 1) {
      if (backslash && this.#sql[at] === '\\') at += 1;
      else if (this.#sql[at] === close) {
        if (!doubled || this.#sql[at + 1] !== close) break;
        at += 1;
      }
    }
    this.#at = Math.min(at + 1, this.#sql.length);
    return true;
  }

  #refuseOwnPlace(): void {
    const { ownPlaces } = this.#rules;
    const found = ownPlaces === null ? null : this.#match(ownPlaces);
    if (found !== null)
      throw new NodeError('sql_invalid', `expected parameters as :name; the SQL has "${found[0].slice(0, 60)}"`);
  }
}
