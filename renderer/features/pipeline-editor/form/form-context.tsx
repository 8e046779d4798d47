import { createContext, useContext, type ComponentType } from 'react';
import type { Settings } from '../model/draft.ts';
import type { FieldsProps } from './setting-props.ts';

/** What every field of a node's form is given. */
export interface FormContext {
  project: string;
  pipeline: string;
  node: string;
  readOnly: boolean;
  /** All settings of the node, for fields that follow others. */
  settings: Settings;
  /** `inside`: the field is drawn whole, so what is wrong inside it is told at it. */
  faultAt(path: string, inside: boolean): string | null;
  /** A field was left, so its faults are told from now on. */
  leave(path: string): void;
  /** The next change is a step of its own. */
  settle(): void;
  /** The path of the field that has the canvas, and where it is drawn there. */
  enlarged: string | null;
  enlarge(path: string | null): void;
  stage: HTMLElement | null;
  /** What draws settings inside settings. */
  Fields: ComponentType<FieldsProps>;
}

const Context = createContext<FormContext | null>(null);
export const FormProvider = Context.Provider;

export function useFormContext(): FormContext {
  const context = useContext(Context);
  if (context === null) throw new Error('a field stands outside of a form');
  return context;
}

/** A change that is a step of its own: a button was pressed, a choice was made. */
export function useAct<T>(onChange: (value: T) => void): (value: T) => void {
  const { settle } = useFormContext();
  return (value) => {
    settle();
    onChange(value);
    settle();
  };
}
