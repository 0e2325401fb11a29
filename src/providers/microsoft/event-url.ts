/** The page of an event in Outlook on the web, as `webLink` has it. Source: Graph, event resource, `webLink`. */
export function outlookEventUrl(itemRef: string): string {
  return `https://outlook.office365.com/owa/?itemid=${encodeURIComponent(itemRef)}&exvsurl=1&path=/calendar/item`;
}
