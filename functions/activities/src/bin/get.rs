//! Serves `activities.get`.

service::main!(activities::GetActivities);
