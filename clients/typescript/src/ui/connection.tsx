import type { ReactNode } from "react";

import { h } from "../react/react.js";
import { useConnection, useSync } from "../react/sync.js";
import { Part, type PartProps, useStrings } from "./part.js";

/** Whether everything is stored, on its way, or waiting for the connection. */
export function ConnectionBadge(part: PartProps): ReactNode {
  const strings = useStrings();
  const { status } = useConnection();
  const { pending } = useSync();
  const waiting = pending > 0 ? `: ${strings.changesWait(pending)}` : "";
  const connected = pending > 0 ? strings.saving : strings.connected;
  const words = { connected, connecting: strings.connecting + waiting, disconnected: strings.offline + waiting };
  return (
    <Part
      as="span"
      name="connection"
      role="status"
      data-status={status}
      data-pending={pending > 0 || undefined}
      {...part}
    >
      {words[status].replace(" …:", ":")}
    </Part>
  );
}
