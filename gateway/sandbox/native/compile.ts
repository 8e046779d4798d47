import type * as Syntax from 'acorn';
import { enter, exit, leave, spend } from './budget.ts';
import { listOf, type Value } from './data.ts';
import { Expressions, type FunctionSyntax } from './expressions.ts';
import type { Callback } from './methods.ts';
import { outside } from './outside.ts';
import { bindPattern, namesIn, namesOfPattern } from './patterns.ts';
import { type Code, type Invoke, Scope, type Variables } from './scope.ts';

/** Runs a statement: the value that it returned, or NORMAL, BREAK or CONTINUE. */
type Step = (variables: Variables) => Value;

const NORMAL = Symbol('normal');
const BREAK = Symbol('break');
const CONTINUE = Symbol('continue');
const PARAMETERS_MAX = 3;

/** Compiles a module: its statements and functions. */
export class Compiler extends Expressions {
  /** Compiles a whole module. Throws LeftToSandbox if its top level fails. */
  module(program: Syntax.Program): Callback {
    const variables: Variables = [];
    const [invoke] = this.scope.block(namesIn(program.body), () =>
      program.body.flatMap((statement) => this.#topLevel(statement, variables)),
    );
    if (invoke === undefined) return outside('statement', program);
    return (message) => invoke(variables, message);
  }

  /** Computes a constant, or gives the exported function. */
  #topLevel(node: Syntax.Program['body'][number], variables: Variables): Invoke[] {
    if (node.type === 'ExportDefaultDeclaration') return [this.#exported(node)];
    const isConstant = node.type === 'VariableDeclaration' && node.kind === 'const';
    // A variable would keep its value from one run to the next.
    if (!isConstant && node.type !== 'FunctionDeclaration') return outside('statement', node);
    this.#statement(node)(variables);
    return [];
  }

  #exported({ declaration }: Syntax.ExportDefaultDeclaration): Invoke {
    if (declaration.type === 'ArrowFunctionExpression' || declaration.type === 'FunctionDeclaration')
      return this.function(declaration);
    return outside('function', declaration);
  }

  protected function(node: FunctionSyntax): Invoke {
    if (node.async || node.generator) outside('async', node);
    if (node.params.length > PARAMETERS_MAX) outside('function', node);
    const before = this.nodes;
    const outer = this.scope;
    const scope = (this.scope = new Scope(outer));
    const names = node.params.flatMap(namesOfPattern);
    const [[bindOne, bindTwo, bindThree], body] = scope.block(names, () => [
      node.params.map((pattern) => bindPattern(this, pattern, true)),
      this.#body(node.body),
    ]);
    this.scope = outer;
    const cost = this.nodes - before;
    return (around, one, two, three) => {
      spend(cost);
      enter();
      const variables: Variables = [around];
      bindOne?.(variables, one);
      bindTwo?.(variables, two);
      bindThree?.(variables, three);
      const result = body(variables);
      exit();
      return result;
    };
  }

  #body(node: Syntax.BlockStatement | Syntax.Expression): Code {
    if (node.type !== 'BlockStatement') return this.expression(node);
    const run = this.#block(node.body);
    return (variables) => {
      const result = run(variables);
      return result === NORMAL ? undefined : result;
    };
  }

  #block(statements: readonly Syntax.Statement[]): Step {
    const names = namesIn(statements);
    // A second function of a name, which only bodies of functions can have, is used from their beginning.
    const [twice] = new Set(names).size < names.length ? statements : [];
    if (twice !== undefined) outside('function', twice);
    const steps = this.scope.block(names, () => statements.map((one) => this.#statement(one)));
    return (variables) => {
      for (const step of steps) {
        const result = step(variables);
        if (result !== NORMAL) return result;
      }
      return NORMAL;
    };
  }

  #statement(node: Syntax.Statement): Step {
    this.count(node);
    switch (node.type) {
      case 'EmptyStatement':
        return () => NORMAL;
      case 'BlockStatement':
        return this.#block(node.body);
      case 'ExpressionStatement': {
        const code = this.expression(node.expression);
        return (variables) => (code(variables), NORMAL);
      }
      case 'ReturnStatement': {
        const code = node.argument ? this.expression(node.argument) : () => undefined;
        return code;
      }
      case 'ThrowStatement':
        return () => leave();
      case 'IfStatement':
        return this.#if(node);
      case 'ForOfStatement':
        return this.#forOf(node);
      case 'ForStatement':
        return this.#for(node);
      case 'WhileStatement':
        return this.#loop({ test: node.test, update: null, body: node.body });
      case 'BreakStatement':
      case 'ContinueStatement': {
        const end = node.type === 'BreakStatement' ? BREAK : CONTINUE;
        return node.label ? outside('loop', node) : () => end;
      }
      case 'VariableDeclaration':
        return this.#declaration(node);
      case 'FunctionDeclaration':
        this.scope.declare(node.id.name, false, this.function(node));
        return () => NORMAL;
      default:
        return outside(node.type.startsWith('For') || node.type.includes('While') ? 'loop' : 'statement', node);
    }
  }

  #if(node: Syntax.IfStatement): Step {
    const test = this.expression(node.test);
    const yes = this.#statement(node.consequent);
    const no: Step = node.alternate ? this.#statement(node.alternate) : () => NORMAL;
    return (variables) => (test(variables) ? yes(variables) : no(variables));
  }

  #forOf(node: Syntax.ForOfStatement): Step {
    const { left } = node;
    if (node.await || left.type !== 'VariableDeclaration' || left.kind === 'var') return outside('loop', node);
    const pattern = left.declarations[0]?.id ?? outside('loop', node);
    const before = this.nodes;
    const [list, bind, body] = this.scope.block(namesOfPattern(pattern), () => [
      this.expression(node.right),
      bindPattern(this, pattern, left.kind === 'const'),
      this.#statement(node.body),
    ]);
    const cost = this.nodes - before;
    return (variables) => {
      for (const item of listOf(list(variables))) {
        spend(cost);
        bind(variables, item);
        const result = body(variables);
        if (result === BREAK) break;
        if (result !== NORMAL && result !== CONTINUE) return result;
      }
      return NORMAL;
    };
  }

  /** No function outlives its iteration, so the iterations can share their variables. */
  #for({ init, test, update, body }: Syntax.ForStatement): Step {
    if (init?.type !== 'VariableDeclaration' || test === null || test === undefined) return outside('loop', body);
    const names = init.declarations.flatMap(({ id }) => namesOfPattern(id));
    const [begin, loop] = this.scope.block(names, () => [
      this.#declaration(init),
      this.#loop({ test, update: update ?? null, body }),
    ]);
    return (variables) => {
      begin(variables);
      return loop(variables);
    };
  }

  #loop(node: { test: Syntax.Expression; update: Syntax.Expression | null; body: Syntax.Statement }): Step {
    const before = this.nodes;
    const test = this.expression(node.test);
    const body = this.#statement(node.body);
    const update = node.update === null ? null : this.expression(node.update);
    const cost = this.nodes - before;
    return (variables) => {
      for (; test(variables); update?.(variables)) {
        spend(cost);
        const result = body(variables);
        if (result === BREAK) break;
        if (result !== NORMAL && result !== CONTINUE) return result;
      }
      return NORMAL;
    };
  }

  #declaration(node: Syntax.VariableDeclaration): Step {
    if (node.kind !== 'const' && node.kind !== 'let') outside('statement', node);
    const steps = node.declarations.map((one) => this.#declarator(one, node.kind === 'let'));
    return (variables) => {
      for (const step of steps) step(variables);
      return NORMAL;
    };
  }

  #declarator({ id, init }: Syntax.VariableDeclarator, changes: boolean): Step {
    if (init?.type === 'ArrowFunctionExpression') {
      if (id.type !== 'Identifier' || changes) outside('function', init);
      this.scope.declare(id.name, false, this.function(init));
      return () => NORMAL;
    }
    const code = init ? this.expression(init) : () => undefined;
    const bind = bindPattern(this, id, !changes);
    return (variables) => bind(variables, code(variables));
  }
}
