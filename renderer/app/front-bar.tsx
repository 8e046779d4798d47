import { Brand, LanguageButton, SchemeButton } from './bar-controls.tsx';

/** The bar of the pages before log-in. */
export function FrontBar() {
  return (
    <header className="bar">
      <Brand free />
      <span className="gap" />
      <LanguageButton />
      <SchemeButton />
    </header>
  );
}
