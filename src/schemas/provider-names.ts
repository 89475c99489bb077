/** The provider's names of members to which the specification gave others: in requests and responses of its profile, and in saved files. */
export const providerNames = { store_path: "r2_path", smart_routing: "argo_smart_routing" } as const;
