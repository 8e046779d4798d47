import type * as Syntax from 'acorn';
import { leave, spend, spendMembers } from './budget.ts';
import { own } from './changes.ts';
import { keysOf, listOf, nameOf, type PlainObject, propertyOf, type Value } from './data.ts';
import { outside } from './outside.ts';
import type { Code, Scope, Variables } from './scope.ts';

/** The parts of the compiler that patterns need: names, default values and keys. */
export interface PatternCompiler {
  readonly scope: Scope;
  expression(node: Syntax.Expression): Code;
  /** Each part of a pattern is computed in each run, and costs a step. */
  count(node: Syntax.Node): void;
  keyOf(property: { computed: boolean; key: Syntax.Expression | Syntax.PrivateIdentifier }): Code;
}

type Bind = (variables: Variables, value: Value) => void;

/** The names that these statements of a block declare in it. */
export function namesIn(statements: readonly (Syntax.Statement | Syntax.ModuleDeclaration)[]): string[] {
  return statements.flatMap((statement) => {
    if (statement.type === 'FunctionDeclaration') return [statement.id.name];
    // Never declared: its own name, which can be that of a function of the table, stays outside.
    if (statement.type === 'ExportDefaultDeclaration')
      return statement.declaration.type === 'FunctionDeclaration' && statement.declaration.id
        ? [statement.declaration.id.name]
        : [];
    return statement.type === 'VariableDeclaration'
      ? statement.declarations.flatMap(({ id }) => namesOfPattern(id))
      : [];
  });
}

export function namesOfPattern(pattern: Syntax.Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'AssignmentPattern':
      return namesOfPattern(pattern.left);
    case 'RestElement':
      return namesOfPattern(pattern.argument);
    case 'ObjectPattern':
      return pattern.properties.flatMap((part) => namesOfPattern(part.type === 'RestElement' ? part : part.value));
    case 'ArrayPattern':
      return pattern.elements.flatMap((part) => (part === null ? [] : namesOfPattern(part)));
    default:
      return outside('mutation', pattern);
  }
}

/** Declares the names of a pattern, from left to right. */
export function bindPattern(compiler: PatternCompiler, pattern: Syntax.Pattern, fixed: boolean): Bind {
  compiler.count(pattern);
  switch (pattern.type) {
    case 'Identifier': {
      const slot = compiler.scope.declare(pattern.name, !fixed);
      return (variables, value) => void (variables[slot] = value);
    }
    case 'AssignmentPattern': {
      const instead = compiler.expression(pattern.right);
      const bind = bindPattern(compiler, pattern.left, fixed);
      return (variables, value) => bind(variables, value === undefined ? instead(variables) : value);
    }
    case 'ObjectPattern':
      return bindObject(compiler, pattern, fixed);
    case 'ArrayPattern':
      return bindList(compiler, pattern, fixed);
    default:
      return outside('mutation', pattern);
  }
}

function bindObject(compiler: PatternCompiler, { properties }: Syntax.ObjectPattern, fixed: boolean): Bind {
  const keys: ((variables: Variables) => Value)[] = [];
  const binds = properties.map((part): Bind => {
    if (part.type === 'RestElement') {
      const bind = bindPattern(compiler, part.argument, fixed);
      const taken = [...keys];
      return (variables, value) => bind(variables, restOf(value, new Set(taken.map((key) => nameOf(key(variables))))));
    }
    if (part.computed) outside('syntax', part);
    const key = compiler.keyOf(part);
    // Its key is read as well.
    compiler.count(part);
    keys.push(key);
    const bind = bindPattern(compiler, part.value, fixed);
    return (variables, value) => bind(variables, propertyOf(value, key(variables)));
  });
  return (variables, value) => {
    if (value === null || value === undefined) leave();
    for (const bind of binds) bind(variables, value);
  };
}

function restOf(value: Value, taken: ReadonlySet<string>): PlainObject {
  const rest: PlainObject = own({});
  const keys = keysOf(value);
  spendMembers(keys.length);
  for (const key of keys) if (!taken.has(key)) rest[key] = (value as PlainObject)[key];
  return rest;
}

function bindList(compiler: PatternCompiler, pattern: Syntax.ArrayPattern, fixed: boolean): Bind {
  const binds = pattern.elements.map(
    (part, index): ((variables: Variables, list: readonly Value[], isOver: boolean) => void) => {
      if (part === null) {
        compiler.count(pattern);
        return () => undefined;
      }
      if (part.type !== 'RestElement') {
        const bind = bindPattern(compiler, part, fixed);
        return (variables, list, isOver) => bind(variables, isOver ? undefined : list[index]);
      }
      const bind = bindPattern(compiler, part.argument, fixed);
      return (variables, list, isOver) => {
        const rest = own(isOver ? [] : list.slice(index));
        spend(rest.length);
        bind(variables, rest);
      };
    },
  );
  return (variables, value) => {
    const list = listOf(value);
    // If a default value makes the array grow, it is read only up to its initial length.
    let isOver = false;
    for (let index = 0; index < binds.length; index++) {
      isOver ||= index >= list.length;
      binds[index]?.(variables, list, isOver);
    }
  };
}
