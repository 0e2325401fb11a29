/** What the list opens, as one file to fetch: each of its own would make more of the design system common to all screens. */
export { ContactForm } from './contact-form.tsx';
export { ImportDialog } from './import-dialog.tsx';
export { ProfileDialog } from './profile-dialog.tsx';
