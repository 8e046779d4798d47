import type * as Syntax from 'acorn';
import { leave, made, NODES_MAX, spend, SYNTAX_DEPTH_MAX } from './budget.ts';
import { deleteMember, own, ownList, setItems, setMember } from './changes.ts';
import { listOf, type PlainObject, propertyOf, setOwn, spreadInto, textOf, type Value } from './data.ts';
import {
  CALLBACK_METHODS,
  type Callback,
  change,
  CHANGING_METHODS,
  FUNCTIONS,
  LIST_METHODS,
  NUMBER_METHODS,
  TEXT_METHODS,
} from './methods.ts';
import { BINARY, UNARY } from './operators.ts';
import { type MethodWork, plainMethod } from './plain-method.ts';
import { Outside, outside } from './outside.ts';
import type { PatternCompiler } from './patterns.ts';
import { type Sort, sortBy } from './sorting.ts';
import type { Code, Invoke, Scope, Variables } from './scope.ts';

export type FunctionSyntax =
  Syntax.ArrowFunctionExpression | Syntax.FunctionDeclaration | Syntax.AnonymousFunctionDeclaration;

/** An optional chain ended early. */
const SHORT = Symbol('short');
/** Longer numbers could be read differently. */
const NUMBER_CHARS_MAX = 15;
const CONSTANTS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['undefined', undefined],
  ['NaN', NaN],
  ['Infinity', Infinity],
]);

/** Assignments that keep some values. */
const KEEPING: Readonly<Record<string, (value: Value) => boolean>> = {
  '??=': (value) => value !== null && value !== undefined,
  '||=': Boolean,
  '&&=': (value) => !value,
};
const takeRight = (_left: Value, right: Value): Value => right;

/** Compiles expressions to functions. Throws Outside for all that native runs do not have. */
export abstract class Expressions implements PatternCompiler {
  scope: Scope;
  /** Whether the script changes objects or arrays. */
  changes = false;
  /** Compiled so far. */
  protected nodes = 0;
  #depth = 0;

  constructor(scope: Scope) {
    this.scope = scope;
  }

  protected abstract function(node: FunctionSyntax): Invoke;

  /** Limits the size and the depth of what is compiled. */
  count(node: Syntax.Node): void {
    this.nodes += 1;
    if (this.nodes > NODES_MAX) throw new Outside('size', null);
    if (this.#depth > SYNTAX_DEPTH_MAX) outside('size', node);
  }

  expression(node: Syntax.Expression | Syntax.Super | Syntax.PrivateIdentifier): Code {
    this.#depth += 1;
    this.count(node);
    const code = this.#expression(node);
    this.#depth -= 1;
    return code;
  }

  #expression(node: Syntax.Expression | Syntax.Super | Syntax.PrivateIdentifier): Code {
    switch (node.type) {
      case 'Literal':
        return this.#literal(node);
      case 'Identifier':
        return this.#name(node);
      case 'ParenthesizedExpression':
        return this.expression(node.expression);
      case 'TemplateLiteral':
        return this.#template(node);
      case 'ObjectExpression':
        return this.#object(node);
      case 'ArrayExpression':
        return this.#list(node);
      case 'UnaryExpression': {
        if (node.operator === 'delete') return this.#delete(node);
        const work = UNARY[node.operator] ?? outside('operator', node);
        const value = this.expression(node.argument);
        return (variables) => work(value(variables));
      }
      case 'BinaryExpression': {
        const work = BINARY[node.operator] ?? outside('operator', node);
        const [left, right] = [this.expression(node.left), this.expression(node.right)];
        return (variables) => work(left(variables), right(variables));
      }
      case 'LogicalExpression':
        return this.#logical(node);
      case 'ConditionalExpression': {
        const [test, yes, no] = [
          this.expression(node.test),
          this.expression(node.consequent),
          this.expression(node.alternate),
        ];
        return (variables) => (test(variables) ? yes(variables) : no(variables));
      }
      case 'AssignmentExpression':
        return this.#assignment(node);
      case 'ChainExpression': {
        const chain = this.expression(node.expression);
        return (variables) => {
          const value = chain(variables);
          return value === SHORT ? undefined : value;
        };
      }
      case 'MemberExpression':
        return this.#member(node);
      case 'CallExpression':
        return this.#call(node);
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return outside(node.async ? 'async' : 'function', node);
      case 'AwaitExpression':
        return outside('async', node);
      case 'UpdateExpression':
        return this.#update(node);
      default:
        return outside('operator', node);
    }
  }

  #literal(node: Syntax.Literal): Code {
    const { value } = node;
    if (node.regex) outside('regular_expression', node);
    if (typeof value === 'number' && (node.raw?.length ?? 0) > NUMBER_CHARS_MAX) outside('syntax', node);
    if (typeof value === 'bigint' || (typeof value === 'object' && value !== null)) outside('syntax', node);
    return () => value;
  }

  #name(node: Syntax.Identifier): Code {
    const variable = this.scope.find(node.name);
    if (variable === 'pending') return outside('name', node);
    if (variable === null) {
      if (!CONSTANTS.has(node.name)) outside('name', node);
      const value = CONSTANTS.get(node.name);
      return () => value;
    }
    if (variable.helper !== null) outside('function', node);
    const { slot } = variable;
    const distance = this.scope.distance(variable);
    if (distance === 0) return (variables) => variables[slot];
    if (distance === 1) return (variables) => (variables[0] as Variables)[slot];
    return (variables) => variablesAt(variables, distance)[slot];
  }

  #template(node: Syntax.TemplateLiteral): Code {
    const texts = node.quasis.map((quasi) => quasi.value.cooked ?? outside('syntax', node));
    const values = node.expressions.map((one) => this.expression(one));
    return (variables) => {
      let text = texts[0] ?? '';
      for (let index = 0; index < values.length; index++)
        text += textOf(values[index]?.(variables)) + (texts[index + 1] ?? '');
      return made(text);
    };
  }

  #object(node: Syntax.ObjectExpression): Code {
    const parts = node.properties.map((part) => this.#part(part));
    return (variables) => {
      const object: PlainObject = own({});
      for (const part of parts) part(object, variables);
      return object;
    };
  }

  #part(node: Syntax.Property | Syntax.SpreadElement): (object: PlainObject, variables: Variables) => void {
    if (node.type === 'SpreadElement') {
      const value = this.expression(node.argument);
      return (object, variables) => spreadInto(object, value(variables));
    }
    if (node.kind !== 'init' || node.method) outside('function', node);
    const key = this.keyOf(node);
    const value = this.expression(node.value);
    return (object, variables) => setOwn(object, key(variables), value(variables));
  }

  /** The key of a property in a literal or a pattern. */
  keyOf({ computed, key }: { computed: boolean; key: Syntax.Expression | Syntax.PrivateIdentifier }): Code {
    if (computed) return this.expression(key);
    if (key.type === 'Identifier') return () => key.name;
    if (key.type !== 'Literal' || typeof key.value === 'bigint') return outside('syntax', key);
    const name = String(key.value);
    return () => name;
  }

  #list(node: Syntax.ArrayExpression): Code {
    const parts = node.elements.map((element) => {
      if (element === null) return outside('syntax', node);
      const isSpread = element.type === 'SpreadElement';
      return { isSpread, value: this.expression(isSpread ? element.argument : element) };
    });
    return (variables) => {
      const list: Value[] = own([]);
      for (const { isSpread, value } of parts) {
        if (isSpread) addAll(list, listOf(value(variables)));
        else list.push(value(variables));
      }
      return list;
    };
  }

  #logical(node: Syntax.LogicalExpression): Code {
    const [left, right] = [this.expression(node.left), this.expression(node.right)];
    if (node.operator === '&&') return (variables) => left(variables) && right(variables);
    if (node.operator === '||') return (variables) => left(variables) || right(variables);
    return (variables) => left(variables) ?? right(variables);
  }

  #assignment(node: Syntax.AssignmentExpression): Code {
    const { object, key, get, set } = this.#target(node.left);
    const value = this.expression(node.right);
    if (node.operator === '=')
      return (variables) => {
        const [of, name] = [object(variables), key(variables)];
        const result = value(variables);
        set(of, name, result);
        return result;
      };
    const keeps = KEEPING[node.operator] ?? (() => false);
    const work = KEEPING[node.operator] ? takeRight : (BINARY[node.operator.slice(0, -1)] ?? outside('operator', node));
    return (variables) => {
      const [of, name] = [object(variables), key(variables)];
      const before = get(of, name);
      if (keeps(before)) return before;
      const result = work(before, value(variables));
      set(of, name, result);
      return result;
    };
  }

  #update(node: Syntax.UpdateExpression): Code {
    const { object, key, get, set } = this.#target(node.argument);
    const more = node.operator === '++' ? 1 : -1;
    return (variables) => {
      const [of, name] = [object(variables), key(variables)];
      const before = get(of, name);
      if (typeof before !== 'number') leave();
      set(of, name, before + more);
      return node.prefix ? before + more : before;
    };
  }

  #delete({ argument }: Syntax.UnaryExpression): Code {
    if (argument.type !== 'MemberExpression' || argument.optional) return outside('mutation', argument);
    this.changes = true;
    const [object, key] = [this.expression(argument.object), this.#keyOfMember(argument)];
    return (variables) => deleteMember(object(variables), key(variables));
  }

  /** A variable or a property that is changed. */
  #target(node: Syntax.Pattern | Syntax.Expression): Target {
    if (node.type === 'MemberExpression' && !node.optional) {
      this.changes = true;
      return {
        object: this.expression(node.object),
        key: this.#keyOfMember(node),
        get: propertyOf,
        set: setMember,
      };
    }
    if (node.type !== 'Identifier') return outside('mutation', node);
    const variable = this.scope.find(node.name);
    if (variable === null || variable === 'pending' || !variable.changes) return outside('mutation', node);
    const { slot } = variable;
    const distance = this.scope.distance(variable);
    return {
      object: (variables) => variablesAt(variables, distance),
      key: () => slot,
      get: (variables) => (variables as Variables)[slot],
      set: (variables, _slot, value) => void ((variables as Variables)[slot] = value),
    };
  }

  #keyOfMember(node: Syntax.MemberExpression): Code {
    return node.computed ? this.expression(node.property) : this.keyOf({ computed: false, key: node.property });
  }

  #member(node: Syntax.MemberExpression): Code {
    const object = this.expression(node.object);
    const key = this.#keyOfMember(node);
    const { optional } = node;
    return (variables) => {
      const value = object(variables);
      if (value === SHORT || (optional && (value === null || value === undefined))) return SHORT;
      return propertyOf(value, key(variables));
    };
  }

  #call(node: Syntax.CallExpression): Code {
    const { callee } = node;
    if (node.optional) return outside('call', node);
    if (callee.type === 'Identifier') {
      const variable = this.scope.find(callee.name);
      return variable === null ? this.#global(node, callee.name) : this.#helper(node, callee);
    }
    if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier')
      return outside('call', node);
    const name = callee.property.name;
    if (callee.object.type === 'Identifier' && this.scope.find(callee.object.name) === null)
      return this.#global(node, `${callee.object.name}.${name}`);
    return this.#method(node, callee, name);
  }

  #global(node: Syntax.CallExpression, name: string): Code {
    const work = FUNCTIONS.get(name) ?? outside('call', node);
    if (name === 'Object.assign') this.changes = true;
    const args = this.#arguments(node.arguments);
    return (variables) => work(args(variables));
  }

  #helper(node: Syntax.CallExpression, callee: Syntax.Identifier): Code {
    const invoke = this.#namedFunction(callee);
    const args = this.#arguments(node.arguments);
    return (variables) => {
      const [one, two, three] = args(variables);
      return invoke(variables)(one, two, three);
    };
  }

  /** A function of the script by its name, in the variables of the function that calls it. */
  #namedFunction(node: Syntax.Identifier): (variables: Variables) => Callback {
    const variable = this.scope.find(node.name);
    if (variable === null || variable === 'pending' || variable.helper === null) return outside('call', node);
    const run = variable.helper;
    const distance = this.scope.distance(variable);
    return (variables) => {
      const around = variablesAt(variables, distance);
      return (one, two, three) => run(around, one, two, three);
    };
  }

  #method(node: Syntax.CallExpression, { object, optional }: Syntax.MemberExpression, name: string): Code {
    const receiver = this.expression(object);
    const work = this.#methodWork(node, name);
    return (variables) => {
      const value = receiver(variables);
      if (value === SHORT || (optional && (value === null || value === undefined))) return SHORT;
      return work(value, variables);
    };
  }

  #methodWork(node: Syntax.CallExpression, name: string): MethodWork {
    const withFunction = CALLBACK_METHODS.get(name);
    if (withFunction !== undefined) return this.#callbackMethod(node, withFunction, name);
    if (name === 'sort' || name === 'toSorted') return this.#sort(node, name);
    const changing = CHANGING_METHODS.get(name);
    if (changing !== undefined) {
      this.changes = true;
      const args = this.#arguments(node.arguments);
      return (receiver, variables) => change(name, changing, receiver, args(variables));
    }
    const [list, text, number] = [LIST_METHODS.get(name), TEXT_METHODS.get(name), NUMBER_METHODS.get(name)];
    if ((list ?? text ?? number) === undefined) return outside('call', node);
    return plainMethod(this.#arguments(node.arguments), { list, text, number });
  }

  #sort(node: Syntax.CallExpression, name: 'sort' | 'toSorted'): MethodWork {
    const sort: Sort = sortBy(node);
    if (name === 'toSorted') return (receiver) => own(sort(listOf(receiver)));
    this.changes = true;
    return (receiver) => {
      const list = ownList(receiver);
      return setItems(list, sort(list));
    };
  }

  #callbackMethod(
    node: Syntax.CallExpression,
    method: NonNullable<ReturnType<typeof CALLBACK_METHODS.get>>,
    name: string,
  ): MethodWork {
    const [first, ...rest] = node.arguments;
    if (first === undefined || rest.length !== (name === 'reduce' ? 1 : 0)) outside('call', node);
    const callback = this.#callback(first);
    const args = this.#arguments(rest);
    return (receiver, variables) => {
      const list = listOf(receiver);
      spend(1 + list.length);
      const { length } = list;
      const result = method(list, callback(variables), args(variables));
      // A function that made the array longer or shorter: a rare case.
      return list.length === length ? result : leave();
    };
  }

  #callback(node: Syntax.Expression | Syntax.SpreadElement): (variables: Variables) => Callback {
    if (node.type === 'Identifier') {
      const work = this.scope.find(node.name) === null ? FUNCTIONS.get(node.name) : undefined;
      return work === undefined ? this.#namedFunction(node) : () => (one) => work([one]);
    }
    if (node.type !== 'ArrowFunctionExpression') return outside('function', node);
    const run = this.function(node);
    return (variables) => (one, two, three) => run(variables, one, two, three);
  }

  #arguments(list: readonly (Syntax.Expression | Syntax.SpreadElement)[]): (variables: Variables) => Value[] {
    const parts = list.map((one) => (one.type === 'SpreadElement' ? outside('call', one) : this.expression(one)));
    return (variables) => parts.map((part) => part(variables));
  }
}

/** The target of an assignment: its object and its key are computed once, before the value. */
interface Target {
  readonly object: Code;
  readonly key: Code;
  get(object: Value, key: Value): Value;
  set(object: Value, key: Value, value: Value): void;
}

function addAll(list: Value[], more: readonly Value[]): void {
  spend(more.length);
  for (const item of more) list.push(item);
}

function variablesAt(variables: Variables, distance: number): Variables {
  let found = variables;
  for (let left = distance; left > 0; left--) found = found[0] as Variables;
  return found;
}
