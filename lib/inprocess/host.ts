/**
 * What this process may do, and what its environment says: asked without ever prompting.
 *
 * @module
 */

/** The process, as far as a mode depends on it; tests bring their own. */
export interface Host {
  /** A variable's value, `""` when it is not set, `null` when it may not be read. */
  variable(name: string): string | null;
  /** All variables; `null` when they may not be read. */
  variables(): Readonly<Record<string, string>> | null;
  /** Tells whether a permission is there already. */
  may(permission: Deno.PermissionDescriptor): boolean;
}

/** This process. */
export const processHost: Host = {
  variable: (name) => may({ name: "env", variable: name }) ? Deno.env.get(name) ?? "" : null,
  variables: () => may({ name: "env" }) ? Deno.env.toObject() : null,
  may,
};

// With --ignore-env a variable reads as not set, but the permission is denied: that tells the two apart.
function may(permission: Deno.PermissionDescriptor): boolean {
  return Deno.permissions.querySync(permission).state === "granted";
}
