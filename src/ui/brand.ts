export interface Logo {
  src: string;
  width: number;
  height: number;
}

/** How the operator calls the install and has it look, as the document tells; what is absent is as Holdfast has it. */
export interface InstallBrand {
  name?: string;
  color?: string;
  logo?: Logo;
  /** On dark ground. */
  darkLogo?: Logo;
}

export const installBrand: InstallBrand = JSON.parse(
  // pages that the server draws are told in another way
  (typeof document === 'undefined' ? null : document.querySelector<HTMLMetaElement>('meta[name="brand"]')?.content) ??
    '{}',
) as InstallBrand;
