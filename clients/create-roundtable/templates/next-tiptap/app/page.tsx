import people from "../people.json";
import { App } from "./app";

export default async function Page({ searchParams }: { searchParams: Promise<{ as?: string }> }) {
  const { as } = await searchParams;
  return <App url={process.env.ROUNDTABLE_URL!} me={people.find(({ id }) => id === as) ?? people[0]!} />;
}
