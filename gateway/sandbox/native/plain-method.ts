import { leave, spend, spendRead } from './budget.ts';
import { isObject, listOf, type Value } from './data.ts';
import type { LIST_METHODS, NUMBER_METHODS, TEXT_METHODS } from './methods.ts';
import type { Variables } from './scope.ts';

export type MethodWork = (receiver: Value, variables: Variables) => Value;

interface Methods {
  readonly list: ReturnType<typeof LIST_METHODS.get>;
  readonly text: ReturnType<typeof TEXT_METHODS.get>;
  readonly number: ReturnType<typeof NUMBER_METHODS.get>;
}

/** A method that changes nothing, chosen by its receiver. */
export function plainMethod(args: (variables: Variables) => Value[], { list, text, number }: Methods): MethodWork {
  return (receiver, variables) => {
    const given = args(variables);
    if (typeof receiver === 'string' && text !== undefined) {
      spendRead(receiver);
      return text(receiver, given);
    }
    if (typeof receiver === 'number' && number !== undefined) return number(receiver, given);
    if (list === undefined || !isObject(receiver)) leave();
    const items = listOf(receiver);
    spend(1 + items.length);
    return list(items, given);
  };
}
