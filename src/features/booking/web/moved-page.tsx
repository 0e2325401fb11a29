import { Navigate, useParams } from '@tanstack/react-router';

/** Booking links had their address under Availability. */
export function MovedPage() {
  const { typeId } = useParams({ strict: false }) as { typeId?: string };
  return typeId === undefined ? (
    <Navigate to="/booking-links" search={(before: object) => before} replace />
  ) : (
    <Navigate to="/booking-links/$typeId" params={{ typeId }} replace />
  );
}
