/** The dialogs of the list as one chunk. Separate chunks would move more of the design system into the common one. */
export { ContactForm } from './contact-form.tsx';
export { ImportDialog } from './import-dialog.tsx';
export { ProfileDialog } from './profile-dialog.tsx';
