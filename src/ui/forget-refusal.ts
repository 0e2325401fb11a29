/** A refusal is about what was sent, and goes once that is changed: for the `onInput` of a form. */
export const forgetRefusal = (sent: { isError: boolean; reset: () => void }) => () => {
  if (sent.isError) sent.reset();
};
