import type { ReactNode } from "react";
import "roundtable/ui/styles.css";
import "./page.css";

export const metadata = { title: "Launch plan", icons: "data:," };

export default function Layout({ children }: { children: ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}
