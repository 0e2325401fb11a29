let isLeaving = false;

/** Whether the page is about to go for good: what was typed cannot be saved any more, and nobody is asked about it. */
export const isLeavingApp = () => isLeaving;

/** From here on nothing else leads away; gives what takes it back where leaving fails. */
export function beginLeaving(): () => void {
  isLeaving = true;
  return () => {
    isLeaving = false;
  };
}

/** To a page of the server, as one at which people come in; nothing happens here any more. */
export function leaveApp(to: string): Promise<never> {
  isLeaving = true;
  // going back would restore the page with a signed-out person's data
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
  location.replace(to);
  return new Promise(() => {});
}
