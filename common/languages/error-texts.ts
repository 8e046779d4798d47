import type { Place } from '../errors/interpolate.ts';
import type { Explanation, ValuesOf } from '../errors/refusals.ts';
import type { RemedyName, RemedyValues } from '../errors/remedies.ts';
import type { Rule, RULES } from '../errors/rules.ts';

/** Values that every sentence may fill in beside the compared ones: the call, and who made it. */
export type CallValue = 'who' | 'call' | 'ip' | 'method' | 'path' | 'cause';
/** Values that are worked out of those that rows hold. */
interface Derived {
  route_timeout: 'timeoutS';
  method_differs: 'accepted';
  scope_missing: 'required';
}

export type RefusalText = {
  readonly lead: string;
  readonly rest: string;
};
export type RemedyText = {
  readonly title: string;
  readonly help: string;
  /** The button that leads to the place; empty without a place. */
  readonly act: string;
};

export type NodeCodeText = {
  readonly meaning: string;
  readonly remedy: string;
};

/** The texts themselves, or an impossible type where one fills in a value that it does not have. */
type Filled<Texts, Allowed extends string> = {
  [Part in keyof Texts]: Texts[Part] extends string
    ? Exclude<Place<Texts[Part]>, Allowed> extends never
      ? Texts[Part]
      : { readonly unknownValue: Exclude<Place<Texts[Part]>, Allowed> }
    : Texts[Part];
};
type RefusalValue<E extends Explanation> = CallValue | ValuesOf<E> | (E extends keyof Derived ? Derived[E] : never);

/** Does not compile if an explanation is missing, or if its text fills in a value that its rows do not have. */
export function refusalTexts<const Texts extends Record<Explanation, RefusalText>>(
  texts: Texts & { [E in Explanation]: Filled<Texts[E], RefusalValue<E>> },
): Record<Explanation, RefusalText> {
  return texts;
}

/** The same for remedies. */
export function remedyTexts<const Texts extends Record<RemedyName, RemedyText>>(
  texts: Texts & { [N in RemedyName]: Filled<Texts[N], RemedyValues<N>> },
): Record<RemedyName, RemedyText> {
  return texts;
}

/** The same for rules: the values of the English sentence. */
export function ruleTexts<const Texts extends Record<Rule, string>>(
  texts: Texts & {
    [R in Rule]: Exclude<Place<Texts[R]>, Place<(typeof RULES)[R]>> extends never ? Texts[R] : { unknownValue: R };
  },
): Record<Rule, string> {
  return texts;
}

/** Words that fill a value which a row does not hold. */
export type ValueWords = {
  readonly someone: string;
  readonly otherMethod: string;
  readonly nothing: string;
  /** Two parts of a list: `{{list}} and {{last}}`. */
  readonly and: string;
};
