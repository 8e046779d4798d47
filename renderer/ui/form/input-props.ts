import type { Wiring } from './frame.tsx';

/** An input of one text, whether it is typed or picked. */
export interface InputProps {
  wiring: Wiring;
  value: string;
  placeholder: string;
  readOnly: boolean;
  onChange: (value: string) => void;
}
