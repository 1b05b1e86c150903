import { type Access, tokenHandler } from "roundtable/server";
import people from "../../../people.json";

export const POST = tokenHandler({
  // The address of the page says who it is, with `npm run dev` alone: in a product, your session does.
  identify: ({ url }) => {
    const as = process.env.ROUNDTABLE_DEV && new URL(url).searchParams.get("as");
    const person = people.find(({ id }) => id === as);
    const access: Access[] = [{ type: "organization", id: "acme", accessRole: "editor" }];
    return person && { ...person, userId: person.id, access };
  },
});
