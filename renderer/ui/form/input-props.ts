import type { Wiring } from './frame.tsx';

/** A text input, whether it is typed or selected. */
export interface InputProps {
  wiring: Wiring;
  value: string;
  placeholder: string;
  readOnly: boolean;
  onChange: (value: string) => void;
}
